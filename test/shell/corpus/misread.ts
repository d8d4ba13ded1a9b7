import { type Attack, attacks } from './row.ts'

/** Brackets that begin with `]`, and what awk takes for more than a file. */
const scripts = [
  ...attacks(
    { allow: ['awk *', 'sed *', 'xargs *', 'find *'] },
    ...[
      `awk '/[^]/"]/{system("touch pwned")}#"' a`,
      `awk '/[^]/#]/{system("touch pwned")}#' a`,
      `awk '$0~/[^]-a/"]/{print "touch pwned" | "sh"}#"' a`,
      `find a -exec awk '/[^]a/"]/{system("touch pwned")}#"' {} ';'`,
      "sed -n '/[^]/s/]/e touch pwned #/' a",
    ].map((text) => ({ text, files: { a: 'x\nq/]"s\n' } })),
    ...["sed -n '/[]/s/]/e touch pwned/;p' a", "sed -n '1,/[^]/s/]/w pwned/' a a", "sed 's|[]|]|e touch pwned|' a"].map(
      (text) => ({ text, unshown: 'another sed' }),
    ),
  ),
  ...attacks({ allow: ['awk *', 'echo *', 'printf *', 'cat *', 'rev'] }),
]

/** Compilers, also under other names: `out` must not be read, so that it must not be written either. */
const compiled = attacks(
  {
    allow: [
      'gcc *',
      'gcc-12 *',
      'x86_64-linux-gnu-gcc-12 *',
      'cc -c *',
      'cpp *',
      'objcopy *',
      'ld *',
      'rustc *',
      'cargo *',
    ],
    secret: ['out'],
    edit: ['src'],
  },
  ...[
    'gcc -Wl,-plugin,src/e.so src/m.c',
    'gcc -E -P -xc src/c -o "$(echo out)"',
    'ld -r -b binary src/c -o out',
    'rustc src/m.rs -C linker=touch',
  ].map((text) => ({ text, unshown: 'a compiler that is not installed everywhere' })),
)

/** A path in a rule, and a script, is seen from the project root. */
const elsewhere = [
  ...attacks(
    {
      allow: [
        ...['node tests/*', 'sh scripts/x.sh', 'timeout *', 'node e.js', 'sh build', 'env X=1 sh build'],
        ...['timeout 5 sh build', 'timeout 5 sh scripts/x.sh'],
      ],
      edit: ['src'],
    },
    ...[
      'cd src && node tests/e.js',
      'cd src && sh scripts/x.sh',
      'cd src; sh scripts/x.sh',
      'cd src && timeout 5 sh scripts/x.sh',
      'cd src && node e.js',
      'cd src; timeout 5 node e.js',
      'for d in src; do cd "$d" && node e.js; done',
      'cd src && sh build',
      'cd src && env X=1 sh build',
      'cd src && timeout 5 sh build',
    ].map((text) => ({
      text,
      files: {
        'src/tests/e.js': 'require("fs").writeFileSync("../pwned", "")\n',
        'src/e.js': 'require("fs").writeFileSync("../pwned", "")\n',
        'src/scripts/x.sh': 'touch ../pwned\n',
        'src/build': 'touch ../pwned\n',
      },
    })),
  ),
  ...attacks({ allow: ['rm -rf dist/*', 'ls *', 'echo *'] }),
]

export const MISREAD: readonly Attack[] = [...scripts, ...compiled, ...elsewhere]
