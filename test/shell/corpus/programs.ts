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

/** Programs whose own language or options decide what a line does. */
export const PROGRAMS: readonly Attack[] = [...npx, ...awk]
