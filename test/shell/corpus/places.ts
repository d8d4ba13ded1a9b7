import { type Attack, attacks } from './row.ts'

/** Files that a command finds: what lies behind them is `conf`, which must not be read. */
const found = attacks(
  { allow: ['*'], secret: ['conf', 'key'], edit: ['src'] },
  ...[
    'ln -s ../conf/key src/new.ts; find src -name new.ts -exec cat {} +',
    'cp -r conf src/c; find src -name k* -exec cat {} +',
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
    'mv -T -S ned src/tree src/pw; mv src/pwned .',
    'cp -r src/tree a; cp a/pwned .',
    'cd src/tree && cp --parents pwned ../..',
    'cd src/tree && cp --par pwned ../..; true',
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
const unpacked = attacks({
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
})

/** Programs that run the program they are given, and a link to the denied one. */
const running = attacks(
  { allow: ['*'], deny: ['touch:*'] },
  { text: './t pwned', files: { 't->': '/usr/bin/touch' } },
  { text: 'sub/t pwned', files: { 'sub/t->': '../u', 'u->': '/usr/bin/touch' } },
  ...[
    'msgexec -i x.po',
    'debconf',
    'fstab-decode',
    'memusage',
    'sotruss',
    'heaptrack',
    'valgrind.bin',
    'fakeroot-sysv',
    ...['cmake -E env', 'cmake -E time', 'cmake -E chdir .', 'dpkg-architecture -c', 'uclampset -m 0', 'prove -e'],
  ].map((program) => ({ text: `${program} touch pwned`, unshown: 'a program that is seldom installed' })),
)

/** A file name that xargs takes apart: what follows the blank, the quote or the newline is a word of its own. */
const torn = attacks(
  {
    allow: ['cp *', 'find *', 'grep *', 'sort *', 'git grep *', 'git log *', 'head *', 'wc *', 'timeout *', 'sed *'],
    edit: ['src'],
  },

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
      'mv build/* build/*',
      'find *',
      'tool --out=build/*',
    ],
    edit: ['src'],
  },
  ...['find build -name f | xargs touch', 'find build -name f -exec touch {} +'].map((text) => ({
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

/** Programs that take what they run or write from their input, from other words, or from the folder they are in. */
const taking = [
  ...attacks({ allow: ['make *', 'make test *'], edit: ['docs'] }),
  ...attacks(
    { allow: ['go build *', 'go test *'], edit: ['bin'] },
    ...['go build -o "$(echo pwned)" .'].map((text) => ({ text, unshown: 'a program that is not installed' })),
  ),
  ...attacks(
    { allow: ['python3 -m json.tool *', 'python3 -m py_compile *'], edit: ['src'] },
    { text: 'python3 -mjson.tool --indent 2 src/d.json pwned', files: { 'src/d.json': '{}' } },
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
      `gnuplot <<< 'system "touch pwned"'`,
      "m4 <<< 'syscmd(touch pwned)'",
      'kubectl get pods --kubeconfig=docs/k.yml',
    ].map((text) => ({ text, files: { 'build/x': '' }, unshown: 'a program that is seldom installed' })),
  ),
]

export const PLACES: readonly Attack[] = [...found, ...copies, ...unpacked, ...running, ...torn, ...away, ...taking]
