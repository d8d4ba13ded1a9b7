import { MISREAD } from './misread.ts'
import { type Attack, attacks } from './row.ts'

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
      'evil.sh': '#!/bin/sh\ntouch pwned\n',
      'package.json': '{"name":"a"}',
      'node_modules/.bin/jest': '#!/bin/sh\n',
      'sub/package.json': '{"name":"b"}',
      'sub/node_modules/.bin/jest': '#!/bin/sh\ntouch ROOT/pwned\n',
      '--cache': '',
    },
  })),
)

/** A `>` of awk that writes, however the words around it look. */
const awk = attacks(
  { allow: ['awk *'] },
  ...[
    'BEGIN { if (4/2 > 1) print 4/2 > "pwned" }',
    'NR > 0 { print; } END { print NR/2 > "pwned" }',
    'BEGIN { print (1 > 2) > "pwned" }',
    'BEGIN { printf("%s", 1) > "pwned" }',
    'BEGIN { print 1, (2 > 1) "" > "pwned" }',
    'BEGIN { print 1,\n2 > "pwned" }',
    'BEGIN { print 1 ||\n2 > "pwned" }',
    'BEGIN { print "a" "/" > "pwned"; print "/" }',
    'BEGIN { print /[(]/ > "pwned" }',
    'BEGIN { print 1 # > (\n; print 2 > "pwned" }',
    'BEGIN { x = 1; x = x / 2; print x > "pwned" # /\n}',
    'BEGIN { x[1] = 4; print x[1] / 2 > "pwned"; y = 1 / 2 }',
    'BEGIN { print "\\\\" > "pwned"; print "\\"" }',
    'BEGIN { if (!/"/) print 1 > "pwned"; x = /"/ }',
    'function f(x) { print x / 2 > "pwned" }\nBEGIN { f(1 > 0) }',
    'BEGIN { f = "/dev/stderr"; f = "pwned"; print 1 > f }',
    'BEGIN { print 1 > "/dev/stderr"; print 1 > "pwned" }',
    'BEGIN { f["/dev/stderr"] = "pwned"; print 1 > f["/dev/stderr"] }',
    'BEGIN { x = 1 > 0; ARGV[1] = 2 / 1; "touch pwned" | getline }',
    'BEGIN { x = 1 > 0; close(system("touch pwned") / 2) }',
  ].map((program) => ({ text: `awk '${program}' <<< a`, files: {} })),
  {
    text: `awk 'BEGIN { print 1 in\nx > "pwned" }'`,
    unshown: 'only some awks take it',
  },
)

const PLACES = { 'conf/key': 'S3CRET\n', 'src/a.ts': 'a\n', 'src/key': 'k\n', '.git!': '' }

/** Words that come out of braces are options and paths like any other; what is not plain in them is not expanded. */
const braces = [
  ...attacks(
    { allow: ['*'], secret: ['conf'], edit: ['src'] },
    ...[
      'cat {src,conf}/key',
      'cat {src,conf}/{a.ts,key}',
      'cat con{f,g}/{k,l}*',
      'cat {src,conf}/*',
      'cat {co,sr}n{f,c}/ke?',
      'cat {-n,conf/key}',
      'head -n1 {,src/../}conf/key',
      'grep -h S3 {src,conf}/{a,k}*',
      'for f in {src,conf}/k*; do cat "$f"; done',
      'for f in {src,conf}/{key,a.ts}; do cat $f; done',
      'cat {src/key,{conf,src}/key}',
      'cat {"conf",src}/key',
      "cat {src,co'n'f}/key",
      'cat {src,conf}/k[e]y',
      'cat {src,${HOME%/home}/conf}/key',
      'cat {src,"$PWD"/conf}/key',
      'cat {src,conf\\/key}',
      'cat {src,conf}/k\\ey',
      'cat {src/\\*,conf/*}',
      'cat {src,conf}/key{,}',
      'cat {c,s}{o,r}{n,c}{f,/}{/,k}{k,e}{e,y}{y,}',
      'cat {src/k,conf/k}{a..e}y',
      'cat {src/k,}{r@P}m,x}; cat conf/key',
    ].map((text) => ({ text: `${text} 2>&1`, files: PLACES, shows: 'S3CRET' })),
  ),
  ...attacks(
    { allow: ['find *', 'sort *', 'git *', 'rg *'] },
    ...[
      'sort {src/a.ts,--output=pwned}',
      'sort {src/a.ts,-opwned}',
      'sort src/a.ts -{u,opwned}',
      'find . -maxdepth 0 {-fprint,pwned}',
      'find . -maxdepth 0 -{print,fprint} pwned',
      'git {diff,--output=pwned}',
      'git diff --{stat,output=pwned}',
      'rg {--pre,./touch.sh} S3 conf',
    ].map((text) => ({ text, files: { ...PLACES, 'touch.sh': '#!/bin/sh\ntouch pwned\n' } })),
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
      'cd conf; cat "$PWD/key"',
      'if cd conf; then cat "$PWD"/k*; fi',
      'true && cd conf || true; cat "$(pwd)/key"',
      'PWD=conf; cat "$PWD/key"',
      'export PWD=conf; cat "$PWD/key"',
      'read PWD < up; cat "$PWD"',
      'printf -v PWD conf/key; cat "$PWD"',
      'for HOME in conf; do cat "$HOME/key"; done',
      'for PWD in conf/key; do cat "$PWD"; done',
      'HOME=conf; cat "$HOME/key"',
      'cat "$HOME/../conf/key"',
      'cat ${PWD%/nothing}/conf/key',
      'cat "$PWD"/c*/key',
      `env -C conf bash -c 'cat "$PWD/key"'`,
      `(cd conf && bash -c 'cat "$PWD/key"')`,
      `HOME=conf bash -c 'cat "$HOME/key"'`,
      'pushd conf; cat "$PWD/key"',
      'f() { cd conf; }; f; cat "$PWD/key"',
      'for i in 1 2; do cat "$PWD/key"; cd conf; done 2>&1',
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
      'find . -maxdepth 0 -exec ls {} \\; -fprint pwned -exec ls {} +',
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
      'find . -name a.ts -exec ls {} \\; -o -name key -exec cat {} \\;',
      'find conf -exec ls {} \\; -exec cat {} +',
      'find src ! -exec cat conf/key \\; -name key -exec cat {} \\;',
      'find src ! -exec false \\; -name key -exec cat {} \\;',
      'find src -name a.ts -exec ln -sf ../conf/key {} \\; -exec cat {} \\;',
      'find src -name a.ts -exec cp -P src/key {} \\; -exec cat {} \\;',
      'find src -name key -exec ls {} + -exec cat {} +',
      'echo conf/key | xargs -n1 -I% cat %',
      'echo key | xargs -n1 -I% cat conf/%',
    ].map((text) => ({ text, files: TABLE, shows: 'S3CRET' })),
  ),
]

/** Readers that write, or that read the words of a file. */
const readers = [
  ...attacks(
    { allow: ['xxd *', 'hostname *', 'git *', 'zcat *'] },
    ...[
      'xxd src/a.ts pwned',
      'xxd -s -l src/a.ts pwned',
      'xxd -r -p src/a.ts pwned',
      'xxd -revert src/a.ts pwned',
      'xxd -c -p src/a.ts pwned',
      'xxd -- src/a.ts pwned',
      'xxd src/a.ts -d/../pwned',
      'xxd -seek -c src/a.ts pwned',
      'xxd -colsx -c src/a.ts pwned',
      'xxd --l -c src/a.ts pwned',
      'xxd -len=1 -c src/a.ts pwned',
      'git diff-index --output=pwned HEAD',
    ].map((text) => ({ text, files: { ...TABLE, '.git!': '', 'src/b.ts': 'b\n', '-d/x': 'x' } })),
  ),
  ...attacks(
    { allow: ['*'], secret: ['conf'] },
    {
      text: 'hexdump -e \'/1 "%c"\' up -d/../conf/key',
      files: { ...TABLE, '-d/x': 'x' },
      shows: 'S3CRET',
      unshown: 'a hexdump that reads options up to its first file',
    },
    ...[
      'strings @up',
      'strings @u*',
      'size @up 2>&1; strings conf/key',
      'strings -n2 conf/key',
      'zcat -f conf/key',
      'zcat -rf .',
      'egrep S3 conf/key',
      'fgrep -rh S3 conf',
      'od -c conf/key | tr -d " \\n"',
      'fold conf/key',
      'expand conf/k*',
      'hexdump -e \'/1 "%c"\' conf/key',
    ].map((text) => ({ text, files: TABLE, shows: 'S3CRET' })),
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
    'sed -i s/a/S3CRET/ p*',
    'sed -i s/a/S3CRET/ ./pw*',
    'sed -i s/a/S3CRET/ src/../pw*d',
    'sed -i s/a/S3CRET/ src/../*/pwned',
    'sed -i s/a/S3CRET/ src/p*d src/a.ts',
    'sed -i s/a/S3CRET/ src/pw*',
    'sed -i --expression=s/a/S3CRET/ src/pwn??',
    'sed -n --in-place=d p src/pwne',
    'sed -i.x s/a/S3CRET/ pwned',
    'sed -id p src/pwne',
    'sed -nid p src/a.ts src/pwne',
    'for f in src/p*; do sed -i s/a/S3CRET/ "$f"; done',
    'for f in src/p* src/a.ts; do sed -id p "$f"; done',
    'for d in src lib; do sed -i s/a/S3CRET/ "$d"/pw*; done',
    'for d in src/*/..; do sed -i s/a/S3CRET/ "$d/../pwned"; done',
    'mv src/pwne src/sub/pwned && sed -i p src/sub/*; mv src/sub/pwned pwned',
    'touch src/sub/c.ts; echo a > src/sub/c.ts; mv src/sub/c.ts pwned && sed -i s/a/S3CRET/ p*',
    'make; sed -i p src/*d',
    'make & sed -i p src/*d; make',
    'sed -i p src/sub/*.ts | make; sed -i p src/pwne*',
    'sed -i s/a/S3CRET/ "src/pw"*',
    'ls src | xargs -I{} sed -i s/^/S3CRET/ src/{}; mv src/pwne pwned',
    "sed -i 's/a/S3CRET/;w pwned' src/*.ts",
    "find . -maxdepth 1 -name 'p*d' -exec sed -i s/a/S3CRET/ {} +",
    "find src -name '*.ts' -o -name 'pw*d' | xargs sed -i s/a/S3CRET/",
    'grep -rl a . | xargs sed -i s/a/S3CRET/',
    'grep -Rl a src/up | xargs sed -i s/a/S3CRET/',
    'find src/up/ -maxdepth 1 -name pwned -exec sed -i s/a/S3CRET/ {} \\;',
    'find src -name link -exec sed -i --follow-symlinks s/a/S3CRET/ {} \\;',
    "find src/sub -name 'x*' | xargs sed -i s/a/S3CRET/",
    'find src/sub -name b.ts | sed s,.*,pwned, | xargs sed -i s/a/S3CRET/',
    'echo pwned | xargs sed -i s/a/S3CRET/',
    "make; find src -name '*wne?' | xargs sed -i p",
    "make & wait; find src -name '*wne?' -exec sed -i p {} +",
    "for i in 1 2; do find src -name '*d' | xargs -r sed -i s/a/S3CRET/; make; done",
    'find src/pwne -exec sed -id p {} +',
    "sed -i --expression=s/a/S3CRET/ --expression='w pwned' src/a.ts",
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
      ...[
        'psql *',
        'mysql *',
        'kubectl *',
        'helm *',
        'terraform *',
        'npx eslint *',
        'npx prettier *',
        'mvn test *',
        'gradle *',
      ],
      ...[
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
    ],
    edit: ['src'],
  },
  ...[
    "psql -h db -c 'select 1' -o '|touch pwned'",
    "psql -h db -c 'select 1' --out='|touch pwned'",
    "psql -Ato pwned -c 'select 1'",
    "psql -c 'select 1' -L pwned",
    "mysql --pager='touch pwned' -e x",
    "mysql -e 'tee pwned'",
    "mysql -e 'select 1; system touch pwned'",
    'kubectl kustomize . --enable-helm --helm-command=./src/x',
    'kubectl kustomize src -o pwned',
    'kubectl kustomize src --load-restrictor LoadRestrictionsNone',
    'helm template . --post-renderer bash',
    'terraform plan -out=pwned',
    'npx eslint -c src/x.js .',
    'npx eslint . -o pwned',
    'npx prettier --plugin=./src/x.js .',
    'yarn eslint -c src/x.js .',
    'mvn test -l pwned',
    'mvn test -f src/pom.xml',
    'mvn test exec:exec -Dexec.executable=touch -Dexec.args=pwned',
    'gradle test --init-script src/x',
    'gradle test -Isrc/x',
    'cmake -P src/x',
    'cmake -B build -DCMAKE_C_COMPILER_LAUNCHER=touch',
    'cmake -B build -D CMAKE_MAKE_PROGRAM=src/x',
    'ruff check -o pwned',
    'mypy --html-report pwned src',
    'python3 -m mypy --config-file=src/x src',
    'uv run --frozen mypy --config-file=src/x src',
    'pandoc a.md -F src/x',
    'docker build -o pwned .',
    'ninja -fsrc/x.ninja',
  ].map((text) => ({ text, unshown: 'a program that is seldom installed' })),
  { text: 'cmake -E touch pwned', unshown: 'a program that is seldom installed' },
)

/** An output is a file like the target of a redirect. */
const outputs = attacks(
  { allow: ['sort *', 'find *', 'xargs *', 'shuf *', 'objcopy *'], edit: ['src'], secret: ['src/gen'] },
  ...[
    'objcopy -I binary -O binary src/a pwned',
    'objcopy src/a pwned -I binary -O binary',
    'objcopy --input-target binary -Obinary src/a pwned',
    'objcopy -Ibinary -Obinary -- src/a pwned',
    'objcopy -Ibinary -Obinary src/[a] pwned',
    'sort -o pwned src/a',
    'sort src/a -o src/../pwned',
    'sort src/a --output pwned',
    'sort --outp=pwned src/a',
    'sort -uo pwned src/a',
    'sort -opwned src/a',
    'cd src && sort -o ../pwned a',
    'find src -name a -exec sort -o pwned {} \\;',
    'find . -maxdepth 0 -execdir sort -o pwned src/a \\;',
    'find src -name a -execdir sort -o ../pwned a \\;',
    'ls src | xargs -I{} sort -o pwned src/{}',
    'for f in pwned; do sort -o $f src/a; done',
    'sort -o src/l/pwned src/a',
    'shuf -o pwned src/a',
    'sort -- src/a -o pwned; sort -o pwned src/a',
  ].map((text) => ({ text, files: { 'src/a': 'b\n', 'src/l->': '..' } })),
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
    'gradle :app:pub',
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
  { text: 'git log --output=a --output=pwned', files: { '.git!': '', a: 'a\n' } },
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
