import type { DangerousOptions } from './dangerousOptions.ts'
import { named } from './named.ts'

/** Commands of package managers that are no scripts. */
const PACKAGES =
  /^(?:add|approve-builds|audit|autoclean|bin|cache|check|ci|config|create|dedupe|deploy|doctor|env|fetch|global|i|import|info|init|install|install-test|it|licenses|link|list|ll|ln|ls|outdated|owner|pack|patch.*|plugin|pm|prune|publish|rb|rebuild|remove|repl|rm|root|self-update|server|set|setup|store|tag|un|uninstall|unlink|up|update|upgrade|upgrade-interactive|version|why)$/

const OBJECTS = `--add-section --discard-all --discard-locals --gap-fill --info --input-target --keep-symbol --only-keep-debug
        --only-section --output-target --preserve-dates --remove-section --rename-section --set-section-flags --strip-all
        --strip-debug --strip-symbol --strip-unneeded --verbose --version [dF:gI:j:K:N:o:O:pR:sSvVwxX]`

/** Package managers, and the tools that come with a language. */
export const packageOptions: readonly (readonly [names: string, options: DangerousOptions])[] = [
  [
    'pip pip3',
    {
      only: `--all --break-system-packages --constraint --disable-pip-version-check --dry-run --editable --exclude
        --exclude-editable --exists-action --files --force-reinstall --format --help --ignore-installed --ignore-requires-python
        --include-editable --no-build-isolation --no-cache-dir --no-clean --no-color --no-compile --no-deps --no-index --no-input
        --no-warn-script-location --not-required --only-binary --outdated --pre --prefer-binary --progress-bar --quiet
        --require-hashes --requirement --retries --root-user-action --timeout --upgrade --upgrade-strategy --uptodate
        --use-pep517 --user --verbose --version --yes [c:e:hIloqr:uUvVy]`,
      takesFiles: true,
    },
  ],
  [
    'npm npx',
    {
      only: `--access --all --audit --audit-level --before --bin-links --color --depth --dev --dry-run --engine-strict --expect-results
        --fetch-retries --fetch-timeout --force --foreground-scripts --format --fund --help --if-present --ignore-scripts
        --include --include-workspace-root --install-links --install-strategy --json --legacy-peer-deps --link --loglevel --long
        --offline --omit --only --optional --otp --package-lock --package-lock-only --parseable --prefer-dedupe --prefer-offline
        --prefer-online --production --progress --quiet --save --save-* --silent --strict-peer-deps --tag --update-notifier
        --verbose --version --workspace --workspaces --yes --install --git-tag-version --allow-same-version --commit-hooks
        --preid --provenance --sign-git-tag --description --searchlimit --fix --ws --iwr -B -D -E -O -P -S -a -d -f -h -l
        -q -s -v -w -y`,
      ends: true,
      anyDashes: true,
    },
  ],
  [
    'pnpm yarn bun',
    {
      only: `--aggregate-output --all --audit-level --bail --check-files --color --depth --dev --dry-run --exact --filter
        --fix-lockfile --force --frozen-lockfile --help --hoist --if-present --ignore-* --immutable --immutable-cache --inline-builds
        --json --latest --level --lockfile-only --long --loglevel --mode --network-timeout --no-* --non-interactive --offline --only
        --optional --parallel --parseable --pattern --peer --prefer-offline --prod --production --pure-lockfile --recursive
        --report-summary --reporter --resume-from --save-* --shamefully-hoist --silent --sort --stream --strict-peer-dependencies
        --timeout --tilde --verbose --version --watch --workspace --workspace-concurrency --workspace-root
        -A -D -E -F -L -O -P -R -T -W -d -h -i -r -s -v -w -y`,
      // It hands revisions to git.
      words: /\[-/,
      taking: PACKAGES,
      late: /^-C|^--(?:config|cwd|dir$|dir=|global|modules|pnpmfile|prefix|preload|script-shell|shell|store|use-|virtual)/,
      ends: true,
    },
  ],
  [
    'cargo',
    {
      only: `--aggressive --all --all-features --all-targets --allow-dirty --allow-no-vcs --allow-staged --benches --bench --bin --bins
        --check --color --depth --doc --document-private-items --dry-run --duplicates --edges --edition --exact-version --example
        --examples --exclude --explain --features --filter-platform --fix --format-version --frozen --future-incompat-report
        --help --ignore-rust-version --invert --jobs --keep-going --lib --list --locked --manifest-path --message-format --name
        --no-* --offline --optional --package --precise --profile --quiet --recursive --release --target --test --tests --timings
        --verbose --version --vers --workspace [de:F:hi:j:p:qvV]`,
      // A toolchain, or a description of a machine with its linker.
      words: /^\+.*[/\\]/,
      fixedValue: { option: named('target'), value: /^[\w-]+$/ },
      ends: true,
    },
  ],
  [
    'rustc',
    {
      only: `--cap-lints --cfg --check-cfg --color --crate-type --edition --error-format --explain --force-warn --help
        --json --print --test --verbose --version -C -Ccodegen-units* -Cdebug-assertions* -Cdebuginfo* -Clto* -Copt-level*
        -Coverflow-checks* -Cpanic* -Crelocation-model* -Cstrip* -Ctarget-cpu* -Ctarget-feature* [A:D:F:ghl:OvVW:]`,
      pairs:
        /^-C (?!(?:codegen-units|debug-assertions|debuginfo|lto|opt-level|overflow-checks|panic|relocation-model|strip|target-cpu|target-feature)(?:=|$))|^--print .*=/,
      words: /^\+|=.*\/|linker|link-arg|^-Z|^@|codegen-backend|llvm-args|^--(?:out-dir|emit|print=.*=)/,
    },
  ],
  [
    'msgattrib msgcat msgcomm msgconv msgen msgfmt msggrep msginit msgmerge msguniq xgettext',
    { isOpen: true, short: 'odp', long: ['output', 'output-file', 'output-dir'] },
  ],
  // What `-J` hands to the machine runs commands, and `@file` holds more words.
  [
    'jar javap jdeps javadoc keytool jarsigner jlink jmod jcmd jps jstack jmap jinfo jstat serialver jdeprscan jpackage jhsdb',
    { isOpen: true, words: /^-J|^@|^-+(?:doclet|taglet|providerp|providerc|providera|conf$|conf=|d$)/ },
  ],
  [
    'rustdoc',
    {
      only: `--cap-lints --cfg --check-cfg --color --crate-type --document-private-items --edition --error-format --help
        --show-coverage --test --test-args --version [A:D:F:hvVW:]`,
      words: /^[@+]/,
    },
  ],
  [
    'rustfmt',
    { words: /^\+/, only: '--check --color --edition --files-with-diff --help --quiet --verbose --version [hlqvV]' },
  ],
  ['objcopy', { only: OBJECTS, words: /^@/, operands: 1, valued: 'BFIjKNOR' }],
  ['strip', { only: OBJECTS, words: /^@/ }],
  [
    'go',
    {
      only: `--help --version -a -all -args -asan -bench -benchmem -benchtime -blockprofile -buildmode -buildvcs -c -cover
        -count -covermode -coverpkg -coverprofile -cpu -cpuprofile -d -deps -e -f -failfast -find -fix -fullpath -func -fuzztime -h
        -i -json -ldflags -list -long -m -memprofile -mod -msan -mutexprofile -n -o -outputdir -p -parallel -race -retracted -run
        -short -shuffle -skip -src -t -tags -test -test.bench -test.count -test.run -test.short -test.timeout -test.v -testcache -timeout -top -trimpath -u -update -v -versions -vet -work -x -go -tidy`,
      words:
        /extld|^--?ldflags(?:=(?!(?: *-(?:s|w|X[ =]?\S+=\S*))+ *$)|$)|^--?(?:test\.)?(?:exec|toolexec|vettool|w|overlay|trace|gocoverdir|testlogfile)(?:=|$)|^-{1,2}mod=mod$/,
      last: /^[^-]/,
      pairs: /^--?mod mod$|^tool (?!cover|vet|nm|objdump)/,
    },
  ],
]
