import { type Attack, attacks } from './row.ts'

/** `conf` must neither be read nor written; what is in its only file is shown. */
const FILES = {
  'conf/key': 'S3CRET\n',
  'a.txt': 'public\n',
  key: 'public\n',
  'dir/key': 'public\n',
  'link->': 'conf',
  'deep->': 'conf/in',
  'conf/in/x': '',
  'out/x': '',
  'bin/reader': '#!/bin/sh\ncat conf/key\n',
}

const shown = (...texts: readonly string[]): Attack[] =>
  attacks(
    { allow: ['*'], secret: ['conf'], edit: ['out'] },
    ...texts.map((text) => ({ text, files: FILES, shows: 'S3CRET' })),
  )

/** 3.10 One word, two folders: the second meaning must not hide the first. */
const places = shown('(cd deep && cat ../key); (cd dir && cat ../key)')

/** 3.10 Options that name a file to read, in every spelling. */
const values = shown(
  'cp -t out conf/key && cat out/key',
  'cp --target-dir=out conf/key && cat out/key',
  'diff --from-file conf/key a.txt',
  'grep --fil conf/key key || grep -o S3CRET conf/key',
  'grep -hof conf/key conf/key',
  'grep -rh S3 conf',
  'cd conf && grep -dh recurse S3 || grep -h -d recurse S3',
  'xargs -a conf/key echo',
  'diff <(cat conf/key) a.txt',
)

/** 3.10 Programs that show a file and are not in everybody's list, and programs nobody has heard of. */
const programs = shown(
  'sqlite3 :memory: ".read conf/key" 2>&1',
  'git hash-object --stdin-paths <<< conf/key; cat conf/key',
)

/** 3.10 git knows files by many names. */
const tracked = attacks({ allow: ['*'], secret: ['conf'], edit: ['out'] })

/** What a line makes or moves itself, and then reads or writes through. */
const made = [
  ...shown(
    'ln -s conf l && cat l/key',
    'ln -s ../conf out/l && git diff --no-index /dev/null out/l/key',
    'ln -s ../conf out/l && git hash-object out/l/key; cat conf/key',
    'ln -s ../conf out/l && cat out/l/key',
    'ln -s ../conf/key out/l; cat out/l',
    'ln -st out ../conf; cat out/conf/key',
    'ln -s ../conf out/; cat out/conf/key',
    'cp -P link out/l && ln -sfn ../conf out/l && cat out/l/key',
    'mv up out/u; cat out/u/key',
    'cp -r up out/u; cat out/u/key',
    'cp -a up out; cat out/up/key',
    'cp -P up out; cat out/up/key',
    'cp -P down d && cat d/../key',
    'ln -s ../conf out/l; cat out/*/key',
    'ln -s ../conf out/l; for f in out/*/key; do cat "$f"; done',
    'ln -s ../conf out/l && cd out/l && cat key',
    '(ln -s ../conf out/l) && cat out/l/key',
    'echo "$(ln -s ../conf out/l)" && cat out/l/key',
    'for i in 1 2; do cat out/l/key; ln -s ../conf out/l; done',
    'while ! cat out/l/key; do ln -s ../conf out/l; done',
    '{ sleep 0.2; cat out/l/key; } & ln -s ../conf out/l; wait',
    '{ sleep 0.2; cat out/l/key; } | ln -s ../conf out/l; cat out/l/key',
    'cat <(sleep 0.2; cat out/l/key) & ln -s ../conf out/l; wait',
    'timeout 5 ln -s ../conf out/l; cat out/l/key',
  ).map((row) => ({ ...row, files: { ...FILES, 'up->': '../conf', 'down->': 'conf/in' } })),
  ...attacks(
    { allow: ['*'], edit: ['out'] },
    ...['ln -st out ..; echo a > out/../pwned'].map((text) => ({
      text,
      files: { ...FILES, 'up->': '..', ...(text.includes('git') ? { '.git!': '' } : {}) },
      ...(text.includes('git') ? { unshown: 'needs another branch' } : {}),
    })),
  ),
]

/** 3.10 Globs that a link on disk fits: what is behind it is read, not what the text says. */
const globbed = attacks({ allow: ['*'], secret: ['conf'], edit: ['out'] })

export const READS: readonly Attack[] = [places, values, programs, tracked, made, globbed].flat()
