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

/** Words that are more than they look, by the shell's own reading or by the program's. */
export const PROGRAMS: readonly Attack[] = [...npx, ...awk, ...braces]
