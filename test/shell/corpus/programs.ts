import { MISREAD } from './misread.ts'
import { type Attack, attacks } from './row.ts'

/** What npx reads itself: an operand may be the value of an option, and then what follows is npx's again. */
const npx = attacks({ allow: ['npx *', 'echo *', 'xargs *', 'ls *'] })

/** What awk runs, however the words around it look. */
const awk = attacks(
  { allow: ['awk *'] },
  ...[
    'BEGIN { x = 1 > 0; ARGV[1] = 2 / 1; "touch pwned" | getline }',
    'BEGIN { x = 1 > 0; close(system("touch pwned") / 2) }',
  ].map((program) => ({ text: `awk '${program}' <<< a`, files: {} })),
)

const PLACES = { 'conf/key': 'S3CRET\n', 'src/a.ts': 'a\n', 'src/key': 'k\n', '.git!': '' }

/** Words that come out of braces are options and paths like any other; what is not plain in them is not expanded. */
const braces = [
  ...attacks(
    { allow: ['*'], secret: ['conf'], edit: ['src'] },
    ...[
      'cat {src,conf}/key',
      'cat {src,conf}/{a.ts,key}',
      'cat {-n,conf/key}',
      'head -n1 {,src/../}conf/key',
      'for f in {src,conf}/{key,a.ts}; do cat $f; done',
      'cat {src/key,{conf,src}/key}',
      'cat {"conf",src}/key',
      "cat {src,co'n'f}/key",
      'cat {src,conf}/k[e]y',
      'cat {src,${HOME%/home}/conf}/key',
      'cat {src,"$PWD"/conf}/key',
      'cat {src,conf\\/key}',
      'cat {src,conf}/k\\ey',
      'cat {src,conf}/key{,}',
      'cat {c,s}{o,r}{n,c}{f,/}{/,k}{k,e}{e,y}{y,}',
      'cat {src/k,conf/k}{a..e}y',
      'cat {src/k,}{r@P}m,x}; cat conf/key',
    ].map((text) => ({ text: `${text} 2>&1`, files: PLACES, shows: 'S3CRET' })),
  ),
  ...attacks(
    { allow: ['find *', 'sort *', 'git *', 'rg *'] },
    ...['rg {--pre,./touch.sh} S3 conf'].map((text) => ({
      text,
      files: { ...PLACES, 'touch.sh': '#!/bin/sh\ntouch pwned\n' },
    })),
  ),
]

const TABLE = {
  'conf/key': 'S3CRET\n',
  'src/a.ts': 'a\n',
  'src/key->': '../conf/key',
  up: 'conf/key\n',
  '@up': '',
  'evil.sh': '#!/bin/sh\ntouch pwned\n',
}

/** `$PWD` and `$HOME` are known as long as nothing can have changed them, and where the line itself runs. */
const known = [
  ...attacks(
    { allow: ['*'], secret: ['conf'], edit: ['src'] },
    ...[
      'cat "$PWD/conf/key"',
      'cat $PWD/src/../conf/key',
      'cat "$(pwd)/conf/key"',
      'cat $(pwd)/conf/key',
      'cd src && cat "$PWD/../conf/key"',
      'cd src && cat "${PWD}/key"',
      'for HOME in conf; do cat "$HOME/key"; done',
      'HOME=conf; cat "$HOME/key"',
      'cat "$HOME/../conf/key"',
      `env -C conf bash -c 'cat "$PWD/key"'`,
      `HOME=conf bash -c 'cat "$HOME/key"'`,
    ].map((text) => ({ text, files: TABLE, shows: 'S3CRET' })),
  ),
  ...attacks(
    { allow: ['echo *', 'cat *', 'pwd'], edit: ['src'] },
    'echo x > "$PWD/pwned"',
    'echo x > $PWD/../"$(basename $PWD)"/pwned',
    'echo x > "$(pwd)/pwned"',
    'cat < "$(pwd; touch pwned)"',
    'echo "$(touch pwned; pwd)"',
    'exit "$(touch pwned)"',
    'true || exit $?; touch pwned',
    'trap "touch pwned" EXIT; exit $?',
    'exit ${x:=$(touch pwned)}',
    'exit $((a[$(touch pwned)]))',
    'false || exit "$(echo 1 > pwned)"',
  ),
  ...attacks(
    { allow: ['echo *', 'cat *'], edit: ['src'] },
    'echo "$(pwd > pwned)"',
    'pwd() { touch pwned; }; echo "$(pwd)"',
  ),
]

/** Several commands of one find, and what xargs takes for the place of a line. */
const several = [
  ...attacks(
    { allow: ['find *', 'xargs *', 'cat *', 'ls *', 'echo *'] },
    ...[
      'find . -maxdepth 0 -exec ls {} \\; -exec touch pwned \\;',
      'find . -maxdepth 0 -exec touch pwned \\; -exec ls {} \\;',
      'find . -name evil.sh -exec ls {} \\; -exec {} \\;',
      'find . -maxdepth 0 -exec ls {} \\; -execdir touch pwned \\;',
      'find . -maxdepth 0 -exec ls {} + -exec sh -c "touch pwned" \\;',
      'find . -maxdepth 0 -exec echo -exec \\; -exec touch pwned \\;',
      'find . -maxdepth 0 -name -exec -o -exec touch pwned \\;',
      "echo 'touch pwned' | xargs -n1 -I% sh -c %",
      'echo pwned | xargs -n1 -I% touch %',
    ].map((text) => ({ text, files: TABLE })),
  ),
  ...attacks(
    { allow: ['*'], secret: ['conf'], edit: ['src'] },
    ...[
      'find src ! -exec cat conf/key \\; -name key -exec cat {} \\;',
      'find src -name a.ts -exec ln -sf ../conf/key {} \\; -exec cat {} \\;',
      'find src -name a.ts -exec cp -P src/key {} \\; -exec cat {} \\;',
    ].map((text) => ({ text, files: TABLE, shows: 'S3CRET' })),
  ),
]

/** Readers that write, or that read the words of a file. */
const readers = [
  ...attacks({ allow: ['xxd *', 'hostname *', 'git *', 'zcat *'] }),
  ...attacks(
    { allow: ['*'], secret: ['conf'] },
    ...['egrep S3 conf/key', 'fgrep -rh S3 conf'].map((text) => ({ text, files: TABLE, shows: 'S3CRET' })),
  ),
]

const SED_FILES = {
  'src/a.ts': 'a\n',
  'src/sub/b.ts': 'a\n',
  'conf/key.ts': 'a\n',
  pwned: 'a\n',
  'pwn->': 'pwned',
  'src/deep->': '../conf',
  'src/x->': '../pwned',
  'src/pwne': 'S3CRET\n',
  'src/pwned': 'a\n',
  'lib/pwned': 'a\n',
  'src/up->': '..',
  'src/link->': '../pwned',
  'src/sub/x pwned': 'a\n',
  'bin/make': '#!/bin/sh\nln -sf ../pwned src/new.ts; mv src/pwne src/pwned\n',
}

/** Only below `src` files may be changed; `sed -i` puts a file in the place of another, and keeps a copy of the old one. */
const inPlace = attacks(
  {
    allow: ['sed *', 'touch *', 'make *', 'cp *', 'mv *', 'ln *', 'ls *', 'echo *', 'true'],
    edit: ['src/a.ts', 'src/sub'],
  },
  ...[
    "find . -maxdepth 1 -name 'p*d' -exec sed -i s/a/S3CRET/ {} +",
    "find src -name '*.ts' -o -name 'pw*d' | xargs sed -i s/a/S3CRET/",
    'grep -rl a . | xargs sed -i s/a/S3CRET/',
    'grep -Rl a src/up | xargs sed -i s/a/S3CRET/',
    'find src/up/ -maxdepth 1 -name pwned -exec sed -i s/a/S3CRET/ {} \\;',
    'find src -name link -exec sed -i --follow-symlinks s/a/S3CRET/ {} \\;',
    "find src/sub -name 'x*' | xargs sed -i s/a/S3CRET/",
    'find src/sub -name b.ts | sed s,.*,pwned, | xargs sed -i s/a/S3CRET/',
    "make; find src -name '*wne?' | xargs sed -i p",
    "make & wait; find src -name '*wne?' -exec sed -i p {} +",
    "for i in 1 2; do find src -name '*d' | xargs -r sed -i s/a/S3CRET/; make; done",
    'find src/pwne -exec sed -id p {} +',
    "sed --expression='s/^/S3CRET/w pwned' src/a.ts",
    'sed -i --file=x p src/*; sed -i.x/* p src/a.ts; sed --in-place s/a/S3CRET/ pwned',
    'sed -i/../../pwned p src/a.ts; sed -i*/../../pwned s/^/S3CRET/ src/a.ts; mv src/pwne pwned',
  ].map((text) => ({
    ...(text.startsWith('make &') ? { unshown: 'which of them is first is not certain' } : {}),
    text,
    files: SED_FILES,
    shows: 'S3CRET',
  })),
)

/** Words that are more than they look, by the shell's own reading or by the program's. */
/** Tools that a rule allows with any words, told to run, load or write something else. */
const told = attacks(
  {
    allow: [
      'psql *',
      'mysql *',
      'kubectl *',
      'helm *',
      'terraform *',
      'npx eslint *',
      'npx prettier *',
      'mvn test *',
      'gradle *',
      'cmake *',
      'ruff check *',
      'mypy *',
      'python3 -m mypy *',
      'uv run *',
      'pandoc *',
      'docker *',
      'ninja *',
      'yarn *',
    ],
    edit: ['src'],
  },
  ...[
    "psql -h db -c 'select 1' -o '|touch pwned'",
    "psql -h db -c 'select 1' --out='|touch pwned'",
    "mysql --pager='touch pwned' -e x",
    "mysql -e 'select 1; system touch pwned'",
    'kubectl kustomize . --enable-helm --helm-command=./src/x',
    'helm template . --post-renderer bash',
    'npx eslint -c src/x.js .',
    'npx prettier --plugin=./src/x.js .',
    'mvn test -f src/pom.xml',
    'mvn test exec:exec -Dexec.executable=touch -Dexec.args=pwned',
    'uv run --frozen mypy --config-file=src/x src',
    'pandoc a.md -F src/x',
  ].map((text) => ({ text, unshown: 'a program that is seldom installed' })),
)

/** An output is a file like the target of a redirect. */
const outputs = attacks(
  { allow: ['sort *', 'find *', 'xargs *', 'shuf *', 'objcopy *'], edit: ['src'], secret: ['src/gen'] },
  ...['ls src | xargs -I{} sort -o pwned src/{}'].map((text) => ({ text, files: { 'src/a': 'b\n', 'src/l->': '..' } })),
)

/** A deny sees what stands behind other words. */
const goals = attacks(
  { allow: ['make *', 'npm *', 'cargo *'], deny: ['make deploy *', 'npm run deploy *', 'npm start *', 'cargo run *'] },
  ...['make all deploy', 'make ./deploy', 'make -s all deploy', 'make deploy'].map((text) => ({
    text,
    files: { Makefile: 'all:\n\techo hi\ndeploy ./deploy:\n\ttouch pwned\n' },
  })),
  ...[
    'npm runScript deploy',
    'npm rum deploy',
    'npm restart',
    'cargo +stable run',
    'cargo r',
    'cargo +stable -q run',
  ].map((text) => ({ text, unshown: 'a program that is seldom installed' })),
)

/** A deny sees the other names of what it names. */
const synonyms = attacks(
  {
    allow: ['docker *', 'gh *', 'helm *', 'pnpm *', 'yarn *', 'python3 -m *', 'pip3 *', 'gradle *', 'gem *', 'uv *'],
    deny: [
      'docker push *',
      'gh pr create *',
      'helm uninstall *',
      'pnpm add *',
      'yarn publish *',
      'pip install *',
    ].concat('gradle publish *', 'gem push *', 'twine *'),
  },
  ...[
    'docker image push x',
    'docker --context default image push x',
    'gh pr new',
    'helm -n a del x',
    'pnpm i zod',
    'pnpm -r i zod',
    'yarn workspace web npm publish',
    'python3 -m pip install x',
    'python3 -m twine upload dist/x.whl',
    'pip3 install x',
    'uv pip install x',
    'gem pus x.gem',
  ].map((text) => ({ text, unshown: 'a program that is seldom installed, or a registry' })),
)

/** A rule that spells an option covers that one, in its place. */
const spelt = attacks(
  { allow: ['make -f build.mk *', 'node --no-warnings --title=x --test *', 'git log --output=a *'], edit: ['evil.mk'] },
  ...[
    'make -f build.mk -f evil.mk',
    'make -f build.mk --file=evil.mk',
    'make -f build.mk -sf evil.mk',
    'make -f evil.mk',
    "make -f build.mk --eval='$(shell touch pwned)'",
  ].map((text) => ({
    text,
    files: { 'build.mk': 'all:\n\techo hi\n', 'evil.mk': 'all:\n\ttouch pwned\n$(shell touch pwned)\n' },
  })),
  {
    text: "node --no-warnings --title=x --test --import \"data:text/javascript,import fs from 'fs'; fs.writeFileSync('pwned', '')\" a.mjs",
    files: { 'a.mjs': '' },
  },
)

export const PROGRAMS: readonly Attack[] = [
  ...MISREAD,
  ...goals,
  ...synonyms,
  ...outputs,
  ...spelt,
  ...told,
  ...npx,
  ...awk,
  ...braces,
  ...known,
  ...several,
  ...readers,
  ...inPlace,
]
