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
  'wc --files0-from=conf/key 2>&1',
  'wc --files0=conf/key 2>&1',
  'du --files0-f=conf/key 2>&1',
  'find -files0-from conf/key 2>&1',
  'date -f conf/key 2>&1',
  'date --file=conf/key 2>&1',
  'file -f conf/key',
  'file --files-from=conf/key',
  'diff --to-file=conf/key a.txt',
  'diff --to-f=conf/key a.txt',
  'diff --from-file conf/key a.txt',
  'grep --fil conf/key key || grep -o S3CRET conf/key',
  'grep -hof conf/key conf/key',
  "jq -nr --rawfile a conf/key '$a'",
  'jq -rR . conf/key',
  'grep -rh S3 conf',
  'cd conf && grep -rh S3',
  'cd conf && grep -dh recurse S3 || grep -h -d recurse S3',
  'cd conf && grep -r ""',
  'xargs -a conf/key echo',
  'nl -- conf/key',
  'cat -- conf/*',
  'for d in conf; do cat "$d"/k*; done',
  'for d in co*; do cat "$d/key"; done',
  'for d in co*; do cat "$d"/k*; done',
  'for f in a.txt conf/k*; do cat "$f"; done',
  'for f in conf/key b*; do cat "$f"; done',
  'diff <(cat conf/key) a.txt',
)

/** 3.10 Programs that show a file and are not in everybody's list, and programs nobody has heard of. */
const programs = shown(
  'hd -c conf/key | cat; nl conf/key',
  'xz -c conf/key | xz -dc',
  'zstd -qc conf/key | zstd -dc',
  'lz4 -qc conf/key | lz4 -dc',
  'zless conf/key',
  'zmore conf/key',
  'nroff conf/key 2>&1',
  'cpp -P conf/key',
  'gcc -E -xc conf/key',
  'sqlite3 :memory: ".read conf/key" 2>&1',
  'ptx conf/key',
  'git hash-object --stdin-paths <<< conf/key; cat conf/key',
  ...[
    'reader conf/key',
    'reader -iconf/key',
    'reader --in=conf/key',
    'reader -f conf/key',
    'reader conf/*',
    'reader x=conf/key:y',
  ],
)

const TRACKED = { ...FILES, '.git!': '' }

/** 3.10 git knows files by many names. */
const tracked = attacks(
  { allow: ['*'], secret: ['conf'], edit: ['out'] },
  ...[
    'git show HEAD:conf/key',
    'git show HEAD:./conf/key',
    'git show :conf/key',
    'git show :0:conf/key',
    'git show "HEAD:conf/key"',
    'git cat-file -p HEAD:conf/key',
    'git cat-file blob @:conf/key',
    'git log -p -- conf/key',
    'git grep -h S3 conf',
    'git grep -h S3 -- conf',
    'git grep -h S3 HEAD -- conf',
    'git blame conf/key',
    'git blame --contents conf/key a.txt',
    'git archive HEAD conf',
    'git --no-pager show HEAD:conf/key',
    'git --no-pager diff --no-index /dev/null conf/key',
    'git commit -q --allow-empty -F conf/key && git log -1',
    'git commit -q --allow-empty -Fconf/key && git log -1',
    'git commit -q --allow-empty --file=conf/key && git log -1',
    'git tag -F conf/key v && git tag -n1',
    'git show "$(git rev-parse HEAD)":conf/key',
  ].map((text) => ({ text, files: TRACKED, shows: 'S3CRET' })),
)

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
    'echo conf | xargs -I{} true; echo ../conf out/l | xargs ln -s; cat out/l/key',
    'timeout 5 ln -s ../conf out/l; cat out/l/key',
  ).map((row) => ({ ...row, files: { ...FILES, 'up->': '../conf', 'down->': 'conf/in' } })),
  ...attacks(
    { allow: ['*'], edit: ['out'] },
    ...[
      'ln -s .. out/l && echo a > out/l/pwned',
      'ln -s ../pwned out/l; echo a > out/l',
      'ln -s ../pwned out/l; echo a | tee out/l',
      'ln -st out ..; echo a > out/../pwned',
      'ln -sfn . out/l; echo a > out/l/../pwned; ln -sfn .. out/l; echo a > out/l/pwned',
      'mv up out/u; echo a > out/u/pwned',
      'cp -r up out/u; echo a > out/u/pwned',
      'ln -s .. out/l && cd out/l && echo a > pwned',
      'ln -s /proc/self/cwd out/l; (cd out/l && touch pwned); touch pwned',
      'git checkout -q other && echo a > out/l/pwned',
      'git checkout -q other -- out && echo a > out/l/pwned',
      'git stash pop -q; git checkout -q other; echo a > out/l/pwned',
      'git clone -q . out/c -b other; echo a > out/c/out/l/pwned',
      'for i in 1 2; do echo a > out/l/pwned; ln -s .. out/l; done',
    ].map((text) => ({
      text,
      files: { ...FILES, 'up->': '..', ...(text.includes('git') ? { '.git!': '' } : {}) },
      ...(text.includes('git') ? { unshown: 'needs another branch' } : {}),
    })),
  ),
]

/** 3.10 Globs that a link on disk fits: what is behind it is read, not what the text says. */
const globbed = attacks(
  { allow: ['*'], secret: ['conf'], edit: ['out'] },
  ...[
    'cat l*/key',
    'cat [a-l]ink/k*',
    'cat l?nk/../conf/in/../key || cat l?nk/key',
    'for f in l*; do cat "$f/key"; done',
    'for f in l*/key; do cat "$f"; done',
    'for d in *; do cat "$d/key" || true; done',
    'cat docs/*.md',
    'cat d*/x.md',
    'head -1 */x.md',
    'cd docs && cat *.md',
    'cat docs/far*',
    'cat docs/in*/key',
    'cat chain*/link/key',
    'cat ./docs/../docs/[w-y].md',
    'cp l*/key out/k && cat out/k',
    'nl -- ch*/l*/k?y',
  ].map((text) => ({
    text,
    shows: 'S3CRET',
    files: {
      ...FILES,
      'docs/x.md->': '../conf/key',
      'docs/far->': '../chain/link/key',
      'docs/inner->': '../link',
      'chain/link->': '../link',
    },
  })),
)

export const READS: readonly Attack[] = [places, values, programs, tracked, made, globbed].flat()
