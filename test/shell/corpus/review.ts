import { type Attack, attacks } from './row.ts'

const FILES = {
  'conf/key': 'S3CRET\n',
  'conf/data.json': '"S3CRET"\n',
  'sub/package.json': '{"scripts":{"test":"touch pwned"}}',
  'package.json': '{"scripts":{"test":"true"}}',
  'evil.sh': '#!/bin/sh\ntouch pwned\n',
  READ1: 'a\n',
  'test/a': '',
}

/** `conf` must not be read. */
const reads = attacks(
  { allow: ['*'], secret: ['conf'], edit: ['out'] },
  ...[
    'find . -name key -execdir cat key \\;',
    'find conf -name key -execdir cat ./key {} +',
    'awk \'BEGIN{ARGV[1]="conf/key";ARGC=2} {print}\'',
    'file -bfconf/key',
    'date -ufconf/key 2>&1',
    'grep -onfconf/key conf/key | head -1',
    `jq -n 'import "./conf/data" as $d; $d'`,
    'git log -L1,1:conf/key',
    'git log -L 1,1:conf/key',
    "git show 'HEAD@{0 seconds ago}:conf/key'",
    "git show 'HEAD^{/t:*wo}:conf/key'",
    'git cat-file --batch <<< HEAD:conf/key',
    'git show --stdin <<< HEAD:conf/key',
    'file -bmconf/key READ1 2>&1',
    'git grep -hnfconf/key HEAD -- conf',
  ].map((text) => ({ text, files: { ...FILES, '.git!': '' }, shows: 'S3CRET' })),
)

/** A rule with a wildcard does not cover what runs or writes more. */
const runs = attacks(
  { allow: ['npm test *', 'find *', 'git *', 'uniq *', 'make *', 'ip *', 'csplit *', 'mktemp *', 'openssl *'] },
  ...[
    'npm test -prefix=sub',
    'npm test ---prefix=sub',
    'npm test ---script-shell=./evil.sh',
    'find sub -name package.json -execdir ../evil.sh \\;; find . -name evil.sh -execdir ./evil.sh \\;',
    "git commit -q --allow-empty -m three; git bisect start HEAD HEAD~2; git bisect view grep '-Otouch pwned;:' -e . -e",
    "git commit -q --allow-empty -m three; git bisect start HEAD HEAD~2; git bisect visualize grep '-Otouch pwned;:' -e . -e",
    "make -f - <<< $'all:\\n\\ttouch pwned'",
    "make -f /dev/stdin <<< $'all:\\n\\ttouch pwned'",
    "make -sf- <<< $'all:\\n\\ttouch pwned'",
    'openssl rand -out pwned 10',
  ].map((text) => ({ text, files: { ...FILES, pwned1: '', '.git!': '' } })),
)

/** Seds before 4.9 end a pattern at the delimiter in a bracket, and open the file of the `w` before they fail. */
const otherSeds = attacks(
  { allow: ['sed *'] },
  ...["sed 's~[~]~w pwned~' READ1", "sed 's,\\c[*,touch pwned,e;#],y,' READ1", "sed 's/[/]/w pwned/' READ1"].map(
    (text) => ({
      text,
      files: FILES,
      unshown: 'sed is newer here',
    }),
  ),
)

/** A word that becomes two. */
const overwrites: Attack = {
  allow: ['uniq *'],
  text: 'uniq R*',
  files: FILES,
  unshown: 'no file is new: it is overwritten',
}

/** Places that are not to be written. */
const writes = attacks(
  { allow: ['*'], secret: ['test'], edit: ['out'] },
  ...['csplit -sftest/pwned READ1 1 && cp test/pwned00 pwned', 'mktemp -p test; touch test/pwned'].map((text) => ({
    text,
    files: FILES,
  })),
)

/** Files that a command finds: what lies behind them is `conf`, which must not be read. */
const found = attacks(
  { allow: ['*'], secret: ['conf', 'key'], edit: ['src'] },
  ...[
    'find . -name k* -exec cat {} +',
    "find . -name '*.ts' -exec cat {} \\;",
    "find . -name '*.ts' | xargs cat",
    "find . -name '*.ts' | sort | head -5 | xargs -I{} cat {}",
    "find . -type f -name '*.ts' -o -name 'k*' | xargs cat",
    "find . -path './src/*' -print -o -name 'k*' -print | xargs cat",
    'find src -name x.ts | xargs cat "$(head -c 7)"; find . -name \'ke?\' | xargs cat',
    "find . '(' -name a.ts -o -name 'k[e]y' ')' -print0 | xargs -0 cat",
    'cat "$(find conf -name key)"',
    'cat "$(find co* -name k*y | head -1)"',
    'find src -L -name x 2>&1; find -L src -type f -exec cat {} +',
    'grep -Rl S3 src | xargs cat',
    'git ls-files | xargs cat',
    'git grep -l S3 | xargs cat',
    "find 'odd dir' -type f | xargs cat",
    'find odd* -type f | xargs cat',
    'ln -s ../conf/key src/new.ts; find src -name new.ts -exec cat {} +',
    'cp -r conf src/c; find src -name k* -exec cat {} +',
    'find src -name key.ts | xargs -d . cat',
    'find src -name a.ts -exec echo conf/key + | xargs cat; echo conf/key | xargs cat',
    'find src -name a.ts | { read -r x; echo conf/key; } | xargs cat',
    'find src -name a.ts -printf conf/key | xargs cat',
    'find src -name a.ts | sed s,.*,conf/key, | xargs cat',
  ].map((text) => ({
    text,
    files: {
      ...FILES,
      'src/a.ts': 'a\n',
      'src/x.ts->': '../conf/key',
      'src/deep->': '../conf',
      'odd dir/x ./conf/key': 'x\n',
      'src/b.conf/key.ts': 'x\n',
      '.git!': '',
    },
    shows: 'S3CRET',
  })),
)

/** What npx reads itself: an operand may be the value of an option, and then what follows is npx's again. */
const npx = attacks(
  { allow: ['npx *', 'echo *', 'xargs *', 'ls *'] },
  ...[
    'npx -c "touch pwned"',
    'npx --cache jest -c "touch pwned"',
    'npx --yes --cache jest -c "touch pwned"',
    'npx -y --call "touch pwned"',
    'npx --registry jest -c "touch pwned"',
    'npx --loglevel silent -c "touch pwned"',
    'npx -w jest -c "touch pwned"; npx --cache=jest -c"touch pwned"; npx --cache jest --call="touch pwned"',
    'npx -q --script-shell ./evil.sh -c true; npx --shell ./evil.sh jest',
    'npx "$(echo --cache)" jest -c "touch pwned"',
    'npx --cach[e] jest -c "touch pwned"',
    'npx --c* jest -c "touch pwned"',
    'npx --yes -- -c "touch pwned"; npx - -c "touch pwned"; npx "" -c "touch pwned"; npx -c "touch pwned"',
    'echo --call=./evil.sh | xargs npx',
    'npx --prefix sub jest',
    'npx -C sub jest',
  ].map((text) => ({
    text,
    files: {
      ...FILES,
      'package.json': '{"name":"a"}',
      'node_modules/.bin/jest': '#!/bin/sh\n',
      'sub/package.json': '{"name":"b"}',
      'sub/node_modules/.bin/jest': '#!/bin/sh\ntouch ROOT/pwned\n',
      '--cache': '',
    },
  })),
)

/** What a review of the evaluator found that it had let pass. */
export const REVIEW: readonly Attack[] = [...reads, ...runs, ...otherSeds, overwrites, ...writes, ...found, ...npx]
