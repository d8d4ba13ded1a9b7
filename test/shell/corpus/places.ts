import { type Attack, attacks } from './row.ts'

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
    'cd src && echo a.ts | sort 5 | xargs cat',
    'cd src && echo a.ts | head 5 | xargs cat',
    'cd src && cat "$(echo a.ts | tail -n 1 5)"',
    'grep -rl S3 --exclude=zzz --include=*.none . | xargs cat',
    "find conf '(' -print ')' -not -name key | xargs cat",
    "find conf '(' -type f -exec cat {} + ')' -not -name key",
    "cat src/'['*']'",
    "cat src/'['*']'/l.txt",
    `cat "$(printf '%s ' src/a.ts)"`,
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
      'conf/key': 'S3CRET\n',
      READ1: 'a\n',
      'src/a.ts': 'a\n',
      'src/x.ts->': '../conf/key',
      'src/5': '../conf/key',
      'src/[k]->': '../conf/key',
      'src/[x]/l.txt->': '../../conf/key',
      'src/a.ts ->': '../conf/key',
      'src/deep->': '../conf',
      'odd dir/x ./conf/key': 'x\n',
      'src/b.conf/key.ts': 'x\n',
      '.git!': '',
    },
    shows: 'S3CRET',
  })),
)

/** Places that a copy reaches by what it keeps aside, by what a tree holds, and by files that are called like options. */
const copies = attacks(
  {
    allow: ['cp *', 'mv *', 'ln *', 'install *', 'rsync *', 'gzip *', 'make test *', 'jq *'],
    secret: ['pwned'],
    edit: ['src'],
  },
  ...[
    'cp -b -S d src/new pwne',
    'cp --suffix=d src/new pwne',
    'cp --suf d src/new pwne',
    'cp -bSd src/new pwne',
    'cp -Sd -t . src/pwne',
    'mv --suffix=d src/new pwne',
    'mv -T -S ned src/tree src/pw; mv src/pwned .',
    'ln -fS d src/new pwne',
    'install -S d src/new pwne',
    'cp -r src/tree/. .',
    'cp -a src/tree/. .',
    'cp -rT src/tree .',
    'cp -r --no-target-directory src/tree .',
    'cp -r src/tree/* .',
    'cp -r src/tree/pwne? .; cp -r src/t*/. .',
    'cp -r src/tree a; cp a/pwned .',
    'rsync -a src/tree/ .',
    'cd src/tree && cp --parents pwned ../..',
    'cd src/tree && cp --par pwned ../..; true',
    'cd src && rsync -R tree/pwned ../tree2; cp ../tree2/tree/pwned ..',
    'gzip -kS d pwne; cp pwned.gz pwned || cp pwned pwned',
    'gzip -k --suf=.pwned src/new; mv src/new.pwned pwned',
    'make test "A!=touch pwned"',
    'make test "A != touch pwned"',
    "make test -f <(printf 'test:\\n\\ttouch pwned\\n')",
    "make test -f/dev/fd/0 <<< 'test:;touch pwned'",
    "make test --mak=/dev/stdin <<< 'test:;touch pwned'",
    "make test 'FOO=;touch pwned'",
    "make test 'FOO:=|touch pwned'",
    "make test V=$'a\\ntouch pwned'",
    "make test Q='touch pwned'",
    "make -n test V=$'a\\n+touch pwned'",
  ].map((text) => ({
    text,
    files: {
      pwne: 'x\n',
      'src/pw/x': '',
      'src/new': 'y\n',
      'src/pwne': 'z\n',
      'src/tree/pwned': 'x\n',
      Makefile: 'test:\n\t@true $(FOO) $(V)\n\t$(Q) x\n',
    },
  })),
)

/** Packers write names that no word spells; a key and an archive of jar are files like any other. */
const unpacked = attacks(
  {
    allow: [
      'gzip *',
      'gunzip *',
      'xz *',
      'bzip2 *',
      'zstd *',
      'lz4 *',
      'python3 *',
      'virtualenv *',
      'strip *',
      'llvm-strip *',
      'npx *',
      'unpigz *',
      'brotli *',
      'printf *',
      'ssh-keygen *',
      'jar *',
      'msgattrib *',
    ],
    secret: ['pwned'],
    edit: ['src'],
  },
  ...[
    'gzip -c src/new > src/pwned.gz; gzip -d src/pwned.gz',
    'gzip -c src/new > src/pwned-gz; gzip -dkf src/pwned-gz',
    'gzip -c src/new > src/pwned_z; cd src && gunzip pwned_z',
    'gzip -c src/new > src/pwned.Z; gzip -d src/pw*',
    'gzip -c src/new > src/pwned.z; gzip -d src/*.z',
    'gzip -c src/new > src/pwned.gz; gzip -d src/pwned.g?',
    'gzip -c src/new > src/tree/pwned.gz; gunzip -r src/tree',
    'gzip -c src/new > src/pwned.gz; for f in src/new.gz src/pwned.gz; do gzip -dq "$f"; done',
    'xz -c src/new > src/pwned.xz; xz -d src/pwned.xz',
    { text: 'python3 -m venv --clear pwned', unshown: 'it makes a folder' },
    { text: 'virtualenv --clear src/pwned', unshown: 'it makes a folder' },
    { text: 'strip pwned', unshown: 'it changes a program' },
    { text: 'python3 -m pytest --junitxml=pwned', unshown: 'pytest is not installed' },
    { text: 'python3 -m pytest --rootdir=pwned', unshown: 'pytest is not installed' },
    { text: 'llvm-strip pwned', unshown: 'it changes a program' },
    { text: 'npx jest --coverageDirectory=pwned', unshown: 'nothing is installed' },
    { text: 'npx vitest run --coverage.reportsDirectory pwned', unshown: 'nothing is installed' },
    { text: 'unpigz src/pwned.gz', unshown: 'a program that is not always installed' },
    { text: 'brotli -d src/pwned.br', unshown: 'a program that is not always installed' },
    'bzip2 -c src/new > src/pwned.bz2; bzip2 -d src/pwned.bz2',
    'zstd -c src/new > src/pwned.zst; zstd -dq src/pwned.zst',
    { text: "ssh-keygen -q -t ed25519 -N '' -f pwned", unshown: 'a program that is not always installed' },
    ...[
      'jar cf pwned src',
      'jar -c -f pwned src',
      'jar xf src/a.jar',
      'jar -xf src/a.jar',
      'jar --extract --file src/a.jar',
    ].map((text) => ({ text, unshown: 'a program that is not always installed' })),
    { text: 'msgattrib --output=pwned src/a.po', unshown: 'a program that is not always installed' },
  ].map((row) => ({
    ...(typeof row === 'string' ? { text: row } : row),
    files: { 'src/new': 'y\n', 'src/tree/x': 'y\n' },
  })),
)

/** Programs that run the program they are given, and a link to the denied one. */
const running = attacks(
  { allow: ['*'], deny: ['touch:*'] },
  { text: './t pwned', files: { 't->': '/usr/bin/touch' } },
  { text: 'sub/t pwned', files: { 'sub/t->': '../u', 'u->': '/usr/bin/touch' } },
  ...[
    ...[
      'msgexec -i x.po',
      'debconf',
      'fstab-decode',
      'memusage',
      'sotruss',
      'heaptrack',
      'valgrind.bin',
      'fakeroot-sysv',
    ],
    ...['cmake -E env', 'cmake -E time', 'cmake -E chdir .', 'dpkg-architecture -c', 'uclampset -m 0', 'prove -e'],
  ].map((program) => ({ text: `${program} touch pwned`, unshown: 'a program that is seldom installed' })),
)

/** A file name that xargs takes apart: what follows the blank, the quote or the newline is a word of its own. */
const torn = attacks(
  {
    allow: ['cp *', 'find *', 'grep *', 'sort *', 'git grep *', 'git log *', 'head *', 'wc *', 'timeout *', 'sed *'],
    edit: ['src'],
  },
  ...[
    'find src -type f | xargs sort',
    'find src -type f | head -5 | grep b | xargs sort',
    'find src -type f | timeout 5 xargs sort',
    'find src -type f | xargs timeout 5 sort',
    'grep -rl y src | xargs sort',
    'find src -name "b *" | xargs -n1 sort',
    '> "src/b -opwned"; find src -type f | xargs sort',
    'for i in 1 2; do find src -name "n *" | xargs sort; > "src/n -opwned"; done',
    "cp src/b src/ax; sed -i'x -opwned' s/y/z/ src/a; find src -name 'a*' | xargs sort",
  ].map((text) => ({ text, files: { 'src/a': 'y\n', 'src/b': 'y\n', 'src/n': 'n', 'src/b -opwned': 'y\n' } })),
  ...['find src -type f | xargs -n1 git grep -l -e x'].map((text) => ({
    text,
    files: { '.git!': '', 'src/b': 'x\n', 'src/b -Otouch${IFS}pwned': 'x\n', a: 'x\n', b: 'x\n' },
  })),
  {
    text: 'find src -type f | xargs -I{} git grep -l -e x {}',
    files: { '.git!': '', 'src/b\n-Otouch${IFS}pwned': 'x\n', a: 'x\n' },
  },
)

/** What a link in the folder of a rule leads to is not below that folder. */
const away = attacks(
  {
    allow: [
      'rm -rf dist/*',
      'cp src/* build/*',
      'mkdir -p build/*',
      'touch build/*',
      'mv build/* build/*',
      'find *',
      'tool --out=build/*',
    ],
    edit: ['src'],
  },
  ...[
    'touch build/l/pwned',
    'touch build/f',
    'touch build/a build/f',
    'touch build/*',
    'touch build/l*/build/f',
    'touch build/l/build/l/build/f',
    'mkdir -p build/l/pwned',
    'cp src/a build/l/pwned',
    'mv build/x build/l/pwned',
    'find build -name f | xargs touch',
    'find build -name f -exec touch {} +',
    'tool --out=build/l/pwned',
  ].map((text) => ({
    text,
    files: {
      'build/l->': '..',
      'build/f->': '../pwned',
      'build/x': 'x',
      'src/a': 'a',
      'build/lib/x': 'x',
      'bin/tool': '#!/bin/sh\ntouch "${1#--out=}"\n',
    },
  })),
  {
    text: 'rm -rf dist/l/src; find . -name a | grep . || echo GONE',
    shows: 'GONE',
    files: { 'dist/l->': '..', 'src/a': 'a' },
  },
)

const COMPILING = { Makefile: 'test:\n\t@true\n', 'docs/x.mk': '$(shell touch pwned)\n', 'docs/y.c': 'int main(){}\n' }

/** Programs that take what they run or write from their input, from other words, or from the folder they are in. */
const taking = [
  ...attacks(
    { allow: ['make *', 'make test *'], edit: ['docs'] },
    ...[
      'make MAKEFILES=docs/x.mk',
      'make test MAKEFILES=docs/x.mk',
      "make 'CC=touch pwned #' docs/y",
      'make CC=docs/cc docs/y',
    ].map((text) => ({ text, files: { ...COMPILING, 'docs/cc': '#!/bin/sh\ntouch pwned\n' } })),
    { text: 'make --touch pwned', files: { Makefile: 'pwned:\n\t@true\n' } },
    { text: 'make -kt pwned', files: { Makefile: 'pwned:\n\t@true\n' } },
  ),
  ...attacks(
    { allow: ['go build *', 'go test *'], edit: ['bin'] },
    ...[
      'go build -o pwned .',
      'go build --o=pwned .',
      'go build -C bin -o ../pwned .',
      'go build -o "$(echo pwned)" .',
      'go test -coverprofile pwned .',
      'go test -test.cpuprofile=pwned .',
      'go test -cpuprofile=bin/x -outputdir=. .',
      'go test . -args -test.coverprofile=pwned',
      'go test -trace=pwned .',
    ].map((text) => ({ text, unshown: 'a program that is not installed' })),
  ),
  ...attacks(
    { allow: ['python3 -m json.tool *', 'python3 -m py_compile *'], edit: ['src'] },
    { text: 'python3 -m json.tool src/d.json pwned', files: { 'src/d.json': '{}' } },
    { text: 'python3 -mjson.tool --indent 2 src/d.json pwned', files: { 'src/d.json': '{}' } },
    {
      text: 'cd src && python3 -m json.tool d.json',
      files: { 'src/json/__init__.py': '', 'src/json/tool.py': 'open("../pwned", "w")\n' },
    },
    {
      text: 'cd src && python3 -m py_compile m.py',
      files: { 'src/py_compile.py': 'open("../pwned", "w")\n' },
    },
  ),
  ...attacks(
    {
      allow: [
        'sqlite3 build/db *',
        'psql *',
        'mysql *',
        'ed *',
        'dc *',
        'vi *',
        'gnuplot *',
        'm4 *',
        'kubectl get *',
        'pip list *',
        'man *',
      ],
    },
    ...[
      "sqlite3 build/db <<< '.shell touch pwned'",
      "echo '.shell touch pwned' | sqlite3 build/db",
      "printf '.once pwned\\nselect 1;\\n' | sqlite3 -batch build/db",
      "sqlite3 -separator , build/db <<< '.shell touch pwned'",
      "psql <<< '\\! touch pwned'",
      "mysql x <<< '\\! touch pwned'",
      "ed <<< '!touch pwned'",
      "dc <<< '!touch pwned'",
      "vi <<< ':!touch pwned'",
      `gnuplot <<< 'system "touch pwned"'`,
      "m4 <<< 'syscmd(touch pwned)'",
      'kubectl get pods --kubeconfig=docs/k.yml',
      'kubectl get pods --profile=cpu --profile-output=pwned',
      'pip list --log pwned',
    ].map((text) => ({ text, files: { 'build/x': '' }, unshown: 'a program that is seldom installed' })),
  ),
]

export const PLACES: readonly Attack[] = [...found, ...copies, ...unpacked, ...running, ...torn, ...away, ...taking]
