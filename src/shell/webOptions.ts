import type { DangerousOptions } from './dangerousOptions.ts'
import { named } from './named.ts'

/** `name: off`, `{"name": 2}`, `name: [error, always]`: a level, and words, of which none can be a file or code. */
const ESLINT_RULE = /^\s*\{?\s*(["']?)[\w@/-]+\1\s*:\s*\[?(?:\s*["']?[\w-]+["']?\s*,?)+\]?\s*\}?\s*$/

/** Any other name is looked for as a file. */
const PRETTIER_PARSER =
  /^(?:acorn|angular|babel|babel-flow|babel-ts|css|espree|flow|glimmer|graphql|html|json5?|json-stringify|jsonc|less|lwc|markdown|mdx|meriyah|mjml|oxc|oxc-ts|scss|typescript|vue|yaml)$/

/** Checkers, formatters and builders of web projects. */
export const webOptions: readonly (readonly [names: string, options: DangerousOptions])[] = [
  [
    'tsc',
    {
      only: `--all --allow* --alwaysstrict --assumechangesonlyaffectdirectdependencies --build --checkjs --clean --composite
        --customconditions --declaration --declarationmap --diagnostics --downlevel* --dry --emit* --erasable*
        --esmoduleinterop --exactoptionalpropertytypes --excludedirectories --excludefiles --experimentaldecorators
        --explainfiles --extendeddiagnostics --force --force* --help --ignoreconfig --importhelpers --incremental --init
        --inlinesource* --isolated* --jsx --jsx* --lib --list* --locale --maxnodemodulejsdepth --module --module* --newline
        --no* --preserve* --pretty --project --quiet --removecomments --resolve* --rewrite* --showconfig --skip* --sourcemap --stopbuildonerrors --strict --strict* --stripinternal --target --traceresolution
        --types --usedefine* --useunknown* --verbatimmodulesyntax --verbose --version --watch -b -d -h -i -m -p -t -v -w -all`,
      isCaseless: true,
      anyDashes: true,
      words: /^@/,
      // What another folder's settings say may write anywhere.
      pairs: /^--?p(?:roject)? (?![\w.-]+\.json$|\.$)/i,
      projects: { option: /^--?b(?:uild)?$/i, plain: /^[\w.-]+\.json$|^\.$|^(?:true|false|react|\w+next|es\d+)$/i },
      takesFiles: true,
    },
  ],
  [
    'eslint eslint_d',
    {
      only: `--cache --cache-strategy --color --concurrency --config --debug --env --env-info --exit-on-fatal-error --ext --fix
        --fix-dry-run --fix-type --format --global --help --ignore --ignore-path --ignore-pattern --inline-config
        --max-warnings --no-* --pass-on-* --print-config --prune-suppressions --quiet --report-unused-* --rule --stats --suppress-all --suppress-rule --version --warn-ignored -c -f [hv]`,
      plainValue: named('f|format'),
      settings: named('c|config'),
      // What a rule of a plugin is given may be code; a level or a word is none.
      fixedValue: { option: named('rule'), value: ESLINT_RULE },
      takesFiles: true,
    },
  ],
  [
    'prettier',
    {
      only: `--arrow-parens --bracket-same-line --bracket-spacing --cache --cache-strategy --check --check-ignore-pragma --config
        --config-precedence --cursor-offset --embedded-language-formatting --end-of-line --experimental-* --file-info
        --find-config-path --help --html-whitespace-sensitivity --ignore-path --ignore-unknown --insert-pragma
        --jsx-single-quote --list-different --log-level --loglevel --no-* --object-wrap --parser --print-width --prose-wrap
        --quote-props --range-end --range-start --require-pragma --semi --single-attribute-per-line --single-quote
        --stdin-filepath --support-info --tab-width --trailing-comma --use-tabs --version --vue-indent-script-and-style
        --with-node-modules --write -c -h -l -u -v -w`,
      settings: named('config'),
      fixedValue: { option: named('parser'), value: PRETTIER_PARSER },
      takesFiles: true,
    },
  ],
  [
    'stylelint',
    {
      only: `--aei --allow-empty-input --cache --cache-strategy --color --config --di --disable-default-ignores --fix --formatter
        --help --id --ignore-disables --ignore-path --ignore-pattern --ip --max-warnings --mw --no-* --print-config --quiet
        --quiet-deprecation-warnings --rd --rdd --report-* --risd --stdin --stdin-filename --validate --version -c -f -h -i -q -v`,
      fixedValue: { option: named('f|formatter'), value: /^(?:compact|github|json|string|tap|unix|verbose)$/ },
      settings: named('c|config'),
      takesFiles: true,
    },
  ],
  [
    'markdownlint markdownlint-cli2',
    {
      only: `--config --disable --dot --enable --fix --format --help --ignore --ignore-path --json --no-globs --quiet --stdin
        --version -c [dfhi:jp:qsV]`,
      settings: named('c|config'),
      takesFiles: true,
    },
  ],
  [
    'typedoc',
    {
      only: `--categorizeByGroup --emit --entryPointStrategy --entryPoints --exclude* --help --includeVersion --logLevel --name
        --readme --skipErrorChecking --treatWarningsAsErrors --tsconfig --validation* --version --watch`,
      settings: named('tsconfig'),
      // What packages say is code.
      fixedValue: { option: named('entryPointStrategy'), value: /^(?:expand|merge|resolve)$/i },
    },
  ],
]
