import type { DangerousOptions } from './dangerousOptions.ts'
import { named } from './named.ts'

const FORMATS = '--check --diff --quiet --verbose --version --help --color --no-color'

/** Checkers and formatters: what they load besides files of settings in the project's root, and write, is not covered. */
export const checkerOptions: readonly (readonly [names: string, options: DangerousOptions])[] = [
  [
    'mypy',
    {
      only: `--allow-* --always-false --always-true --cache-fine-grained --check-untyped-defs --color-output --config-file
        --deprecated-calls-exclude --disable-error-code --disallow-* --enable-error-code --enable-incomplete-feature --exclude
        --exclude-gitignore --explicit-package-bases --extra-checks --fast-module-lookup --follow-imports --follow-untyped-imports
        --hide-* --ignore-missing-imports --implicit-optional --implicit-reexport --incremental --junit-format
        --local-partial-types --module --namespace-packages --no-* --non-interactive --num-workers --package --platform --pretty
        --python-version --raise-exceptions --report-deprecated-as-note --scripts-are-modules --show-* --silence-site-packages
        --skip-cache-mtime-checks --skip-version-check --strict --strict-* --tb --untyped-calls-exclude --verbose --version
        --warn-* --help [m:p:c:vhVn:]`,
      words: /^@/,
      settings: named('config-file'),
      takesFiles: true,
    },
  ],
  [
    'pylint',
    {
      only: `--allow-* --bad-names --bad-names-rgxs --callbacks --class-naming-style --class-rgx --confidence --const-rgx
        --disable --docstring-min-length --dummy-variables-rgx --enable --errors-only --exit-zero
        --expected-line-ending-format --fail-on --fail-under --from-stdin --function-naming-style --function-rgx
        --generate-rcfile --generate-toml-config --generated-members --good-names --good-names-rgxs --help --help-msg --ignore
        --ignore-* --ignored-* --include-naming-hint --indent-string --init-import --jobs --limit-inference-results
        --list-conf-levels --list-extensions --list-groups --list-msgs --list-msgs-enabled --logging-format-style --long-help
        --max-* --method-naming-style --method-rgx --min-public-methods --min-similarity-lines --module-rgx --msg-template
        --no-docstring-rgx --notes --output-format --persistent --py-version --rcfile --recursive --reports --score
        --single-line-class-stmt --single-line-if-stmt --valid-metaclass-classmethod-first-arg --variable-naming-style
        --variable-rgx --verbose --version [Ed:e:f:hi:j:r:s:v]`,
      words: /^-[Ev]*f(?!(?:colorized|github|json2?|msvs|parseable|text)$)./,
      // Any other reporter is a class that it imports, or writes a file.
      fixedValue: {
        option: /^(?:--output-format(?:=|$)|-[Ev]*f$)/,
        value: /^(?:(?:colorized|github|json2?|msvs|no|parseable|text),?)+$/,
      },
      settings: named('rcfile'),
      takesFiles: true,
    },
  ],
  [
    'flake8 pycodestyle pyflakes pydocstyle',
    {
      only: `--append-config --benchmark --bug-report --builtins --color --config --convention --count --diff --disable-noqa
        --doctests --enable-extensions --exclude --exit-zero --explain --extend-exclude --extend-ignore --extend-select
        --first --format --hang-closing --help --ignore --indent-size --isolated --jobs --max-complexity
        --max-doc-length --max-line-length --no-show-source --per-file-ignores --quiet --require-plugins --select --show-pep8
        --show-source --statistics --stdin-display-name --verbose --version [hj:qv]`,
      words: /^@/,
      settings: named('config|append-config'),
      takesFiles: true,
    },
  ],
  [
    'ruff',
    {
      only: `--all --color --config --exclude --exit-non-zero-on-fix --exit-non-zero-on-format --exit-zero
        --extend-exclude --extend-fixable --extend-per-file-ignores --extend-select --extension --fix --fix-only --fixable
        --force-exclude --ignore --ignore-noqa --isolated --line-length --no-* --output-format --per-file-ignores --preview
        --range --respect-gitignore --select --show-files --show-fixes --show-settings --silent --statistics --stdin-filename
        --target-version --unfixable --unsafe-fixes --watch [ehnqsvwV] ${FORMATS}`,
      words: /^@/,
      first: /^(?!server$)/,
      settings: named('config'),
      takesFiles: true,
    },
  ],
  [
    'black',
    {
      only: `--code --config --exclude --extend-exclude --fast --force-exclude --ipynb --line-length --line-ranges
        --no-cache --preview --pyi --required-version --safe --skip-magic-trailing-comma --skip-source-first-line
        --skip-string-normalization --stdin-filename --target-version --unstable --workers [CSW:c:hl:qt:vx] ${FORMATS}`,
      settings: named('config'),
      takesFiles: true,
    },
  ],
  [
    'isort',
    {
      only: `--atomic --case-sensitive --check-only --combine-as --dont-follow-links --extend-skip --extend-skip-glob --ff
        --filter-files --float-to-top --force-alphabetical-sort --force-grid-wrap --force-single-line-imports
        --force-sort-within-sections --fss --jobs --known-local-folder --length-sort --line-length --line-width
        --lines-after-imports --multi-line --nis --only-modified --order-by-type --profile --project --py --python-version
        --resolve-all-configs --show-config --show-files --skip --skip-glob --sl --src --src-path --stdout
        --thirdparty --trailing-comma --use-parentheses --version-number [b:cdehj:l:m:o:p:qs:t:vV] ${FORMATS}`,
      takesFiles: true,
    },
  ],
  [
    'coverage',
    {
      only: `--append --branch --concurrency --context --contexts --fail-under --format --help --ignore-errors --include
        --keep-combined --no-skip-covered --omit --parallel-mode --precision --quiet --rcfile --show-contexts --show-missing
        --skip-covered --skip-empty --sort --source --timid --title --version [ahimpq]`,
      last: /^-m$|^[\w./-]+\.py$/,
      settings: named('rcfile'),
      takesFiles: true,
    },
  ],
  // It runs the project's code, of the places that it is given.
  [
    'pytest',
    {
      isOpen: true,
      words:
        /^@|^--(?:basetemp|benchmark-storage|pdb|pdbcls|trace|ds|dc|benchmark-timer)|^--tx\b|^--pythonwarnings=.*::.*\.|^--override-ini=(?:addopts=.|pythonpath|filterwarnings=[\s\S]*::.*\.)|^-[hlqsvxV]*(?:o(?:addopts=.|pythonpath|filterwarnings=[\s\S]*::.*\.)|p(?!no:|pytest_|xdist).|W.*::.*\.|c.*\/)/,
      pairs:
        /^--pythonwarnings .*::.*\.|^(?:-[hlqsvxV]*o|--override-ini) (?:addopts=.|pythonpath|filterwarnings=[\s\S]*::.*\.)|^-[hlqsvxV]*p (?!no:|pytest_|xdist)|^-[hlqsvxV]*W .*::.*\.|^-[hlqsvxV]*c (?![\w-]*\.[\w.-]*$)/,
      settings: named('c|config-file|cov-config'),
    },
  ],
  [
    'bandit',
    {
      only: `--aggregate --baseline --confidence-level --configfile --exclude --exit-zero --format --help --ignore-nosec --ini
        --number --profile --quiet --recursive --severity-level --skip --tests --verbose --version
        -c [a:b:de:f:hilm:n:p:qrs:t:vx:]`,
      settings: named('c|configfile|ini'),
      takesFiles: true,
    },
  ],
  [
    'pyright basedpyright',
    {
      only: `--dependencies --help --ignoreexternal --level --outputjson --project --pythonplatform --pythonversion
        --skipunannotated --stats --threads --verbose --verifytypes --version --warnings --watch -p [hw]`,
      fixedValue: { option: named('p|project'), value: /^(?:\.|[\w-]*\.(?:json|toml))$/ },
      takesFiles: true,
    },
  ],
  [
    'yamllint',
    {
      only: '--config-file --format --help --list-files --no-warnings --strict --version -c [f:hsv]',
      settings: named('c|config-file'),
    },
  ],
  [
    'codespell',
    {
      only: `--after-context --before-context --builtin --check-filenames --check-hidden --context --count --disable-colors
        --enable-colors --exclude-file --hard-encoding-detection --help --ignore-multiline-regex --ignore-regex --ignore-words
        --ignore-words-list --interactive --quiet-level --regex --skip --stdin-single-line --summary --uri-ignore-words-list
        --version --write-changes [A:B:C:dcfhHi:I:L:q:r:sS:wx:]`,
    },
  ],
  [
    'vulture',
    {
      only: `--exclude --help --ignore-decorators --ignore-names --make-whitelist --min-confidence --sort-by-size --verbose
        --version [hv]`,
    },
  ],
  [
    'rubocop',
    {
      only: `--auto-correct --auto-correct-all --auto-gen-config --autocorrect --autocorrect-all --color --debug
        --disable-pending-cops --display-cop-names --display-only-* --display-style-guide --enable-pending-cops --except
        --extra-details --fail-fast --fail-level --config --force-exclusion --format --help --ignore-* --lint --list-target-files --layout
        --no-* --only --only-guide-cops --parallel --safe --safe-auto-correct --show-cops --stdin --verbose-version --version
        -a -A -c -d -D -E -f -F -h -l -L -P -S -v -V -x`,
      plainValue: named('f|format'),
      settings: named('c|config'),
      takesFiles: true,
    },
  ],
  [
    'golangci-lint',
    {
      only: `--allow-parallel-runners --build-tags --color --concurrency --config --default --disable --disable-all --enable --enable-all --enable-only --exclude
        --fast --fast-only --fix --go --help --issues-exit-code --max-issues-per-linter --max-same-issues --new --new-from-rev
        --new-from-merge-base --no-config --out-format --presets --print-issued-lines --show-stats --skip-dirs --skip-files
        --modules-download-mode --sort-results --tests --timeout --uniq-by-line --verbose --version --whole-files -c [D:E:hj:p:v]`,
      words: /^--out-format=.*[:/]/,
      pairs: /^--out-format .*[:/]/,
      settings: named('c|config'),
      // It hands them to git.
      fixedValue: { option: named('new-from-rev|new-from-merge-base'), value: /^[^-]/ },
    },
  ],
  [
    'shellcheck',
    {
      only: `--check-sourced --color --enable --exclude --external-sources --extended-analysis --format --help --include
        --list-optional --norc --severity --shell --source-path --version --wiki-link-count [ae:f:hi:o:P:s:S:VW:xC]`,
      words: /^\+RTS/,
      takesFiles: true,
    },
  ],
  [
    'clang-format',
    {
      only: `--assume-filename --dry-run --fallback-style --ferror-limit --help --length --lines --offset
        --output-replacements-xml --sort-includes --style --verbose --version --Werror --Wno-error
        -assume-filename -fallback-style -h -i -length -lines -n -offset -style -verbose -version -Werror`,
      words: /^@/,
      plainValue: named('style'),
      takesFiles: true,
    },
  ],
  [
    'clang-tidy',
    {
      only: `--allow-no-checks --checks --enable-check-profile --explain-config --format-style --header-filter --help
        --line-filter --list-checks --quiet --system-headers --use-color --verify-config --version --warnings-as-errors
        --dump-config -checks -format-style -h -header-filter -line-filter -list-checks -p -quiet -system-headers -version
        -warnings-as-errors`,
      words: /^@|load|plugin/,
      plainValue: named('format-style'),
      // The words of the compiler stand there.
      fixedValue: { option: named('p'), value: /^(?:\.|_?build[\w.-]*|cmake-build[\w-]*|out)$/ },
      ends: true,
    },
  ],
  [
    'cppcheck',
    {
      only: `--check-config --check-level --check-library --disable --doc --enable --error-exitcode --errorlist --exception-handling
        --force --fsigned-char --funsigned-char --help --include --inconclusive --inline-suppr --language --library
        --max-configs --max-ctu-depth --platform --quiet --relative-paths --report-progress --safety --std --suppress --template
        --template-location --verbose --version --xml --xml-version -D* -I* -U* -f -h -i* -j* -l* -q -rp -v -x`,
      plainValue: named('platform|library'),
      takesFiles: true,
    },
  ],
]
