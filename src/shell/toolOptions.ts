import { buildFolder } from './buildFolder.ts'
import type { DangerousOptions } from './dangerousOptions.ts'
import { named } from './named.ts'

/** Shell assignments, and makefiles that come from the input. */
const MAKE_TEXTS = /!\s*=|^-$|^-\w*f-$|=-$|^\/dev\/(?:stdin|fd)|^\/proc\//

/** Build tools, compilers of documents, and tools of the system. */
export const toolOptions: readonly (readonly [names: string, options: DangerousOptions])[] = [
  [
    'mvn mvnw mvnd',
    {
      only: `--activate-profiles --also-make --also-make-dependents --batch-mode --debug --errors --fail-at-end --fail-fast
        --fail-never --help --no-snapshot-updates --no-transfer-progress --non-recursive --offline --projects --quiet
        --resume-from --show-version --strict-checksums --threads --update-snapshots --version -am -amd -B -C -c -D
        -Dcheckstyle.skip -Dexcludes -DfailIfNoSpecifiedTests -DfailIfNoTests -Dincludes -Dit.test -Dmaven.javadoc.skip
        -Dmaven.test.failure.ignore -Dmaven.test.skip -DoutputType -Drevision -Dscope -DskipITs -DskipTests -Dspotless.check.skip
        -Dstyle.color -Dsurefire.failIfNoSpecifiedTests -Dtest -Dverbose -e -fae -ff -fn -h -N -nsu -ntp -o -pl -q -rf -T -T*
        -U -v -V -X -P -P*`,
      pairs: /^-D (?!(?:checkstyle\.skip|includes|it\.test|maven\.test\.skip|skip(?:IT|Test)s|test)(?:=|$))/,
      // A goal of any plugin.
      words: /^[A-Za-z][^\s/]*:/,
    },
  ],
  [
    'gradle gradlew',
    {
      only: `--all --build-cache --configuration --configuration-cache --configure-on-demand --console --continue --daemon --debug
        --dependency --dry-run --exclude-task --full-stacktrace --help --info --max-workers --no-build-cache
        --no-configuration-cache --no-daemon --no-parallel --no-rebuild --offline --parallel --profile --quiet
        --refresh-dependencies --rerun-tasks --stacktrace --status --stop --tests --version --warn --warning-mode -a -d -h -i -m
        -P* -q -s -S -v -w -x`,
      // Properties of plugins name programs.
      pairs: / -P(?:.*=(?:\.|.*[/\\])|\w*(?:[dD]ir|layout))|^-P (?:.*=(?:\.|.*[/\\])|\w*(?:[dD]ir|layout))/,
    },
  ],
  [
    'cmake',
    {
      only: `--build --clean-first --component --config --debug-output --debug-trycompile --fresh --help --install --list-presets
        --log-level --loglevel --no-warn-unused-cli --parallel --prefix --preset --strip --target --trace --trace-expand --use-stderr
        --verbose --version --warn-uninitialized --warn-unused-vars --workflow -LA -LAH -LH -Wdev -Wno-dev -Wno-deprecated
        -Wdeprecated -Werror* [A:B:D:G:j:LNS:t:T:U:vhV]`,
      ends: true,
    },
  ],
  [
    'ctest',
    {
      only: `--build-config --debug --exclude-regex --extra-verbose --help --label-exclude --label-regex --no-tests
        --output-on-failure --parallel --preset --print-labels --progress --quiet --repeat --rerun-failed --schedule-random
        --show-only --stop-on-failure --stop-time --test-dir --test-load --tests-regex --timeout --verbose --version
        -C -E -F -h -I -j -j* -L -LE -N -Q -R -U -V -VV`,
      // What shows help writes a file behind it.
      pairs: /^--(?:help|version) [^-]/,
      // Of its folder it runs what the tests' list says.
      fixedValue: { option: /^--test-dir/, value: buildFolder },
    },
  ],
  [
    'ninja',
    { only: '--help --quiet --verbose --version -t [C:d:hj:k:l:nvw:]', pairs: /^-t (?!targets|clean|query|graph)/ },
  ],
  [
    'make gmake',
    {
      only: `--always-make --debug --directory --dry-run --help --ignore-errors --jobs --just-print --keep-going --load-average
        --max-load --no-builtin-rules --no-builtin-variables --no-print-directory --no-silent --output-sync --print-data-base
        --print-directory --question --quiet --recon --silent --trace --version --warn-undefined-variables [BC:dhij:kl:npqrRsSvw]
        -O*`,
      words: MAKE_TEXTS,
    },
  ],
  [
    'apt apt-get apt-cache aptitude',
    {
      only: `--all-versions --allow-change-held-packages --allow-downgrades --assume-no --assume-yes --autoremove --download-only
        --dry-run --fix-missing --full --help --important --installed --manual-installed --names-only --no-all-versions
        --no-install-recommends --no-install-suggests --no-remove --no-upgrade --only-upgrade --print-uris --purge --quiet
        --recurse --reinstall --show-progress --simulate --upgradable --upgradeable --verbose-versions --version --yes
        [adfhimnqsuvVy]`,
      words: /\.deb$|^\.{0,2}\//,
    },
  ],
  ['ssh-keygen', { only: '[b:BC:E:F:hlLN:qt:v] -Bf* -Lf* -lf*' }],
  [
    'dpkg dpkg-query dpkg-deb',
    {
      only: `--audit --compare-versions --contents --field --get-selections --help --info --list --listfiles
        --print-architecture --print-foreign-architectures --search --show --showformat --status --verify --version
        [cCf:IlLpsSVW]`,
    },
  ],
  ['iptables ip6tables', { long: ['modprobe'], short: 'M' }],
  [
    'nmap',
    { only: '--open --reason --top-ports --version -F -n -O -p -p* -Pn -R -sn -sP -sS -sT -sU -sV -T* -v -vv -V -6' },
  ],
  ['dot neato fdp sfdp circo twopi osage', { only: '[E:G:K:N:n:qs:T:vVxy]' }],
  [
    'xmllint',
    {
      only: `--c14n --dropdtd --dtdvalid --encode --format --html --huge --memory --nowarning --noblanks --nocdata --noout
        --nonet --pretty --postvalid --push --recover --relaxng --repeat --sax --sax1 --schema --schematron --stream --timing
        --valid --version --xmlout --xpath`,
      anyDashes: true,
    },
  ],
  [
    'xsltproc',
    {
      only: '--encoding --html --huge --maxdepth --maxparserdepth --maxvars --nodict --nodtdattr --nomkdir --nonet --noout --novalid --nowrite --param --repeat --stringparam --timing --verbose --version -v -V',
      anyDashes: true,
    },
  ],
  [
    'ctags etags',
    {
      only: '--append --excmd --exclude --extras --fields --help --kinds-* --languages --line-directives --links --list-* --recurse --sort --tag-relative --totals --version [aenRuVx]',
    },
  ],
  ['gofmt goimports gofumpt', { only: '-d -e -extra -format-only -l -local -s -srcdir -v -w -lang' }],
  [
    'ss netstat',
    { only: '--all --help --listening --numeric --processes --tcp --udp --version [460aeHhilmnOoprstuvVWx]' },
  ],
  [
    'javac',
    {
      only: `--class-path --enable-preview --help --module-path --release --source --source-path --system --target --version
        -classpath -cp -d -deprecation -encoding -g -g:* -help -implicit:* -nowarn -parameters -proc:none -source -sourcepath
        -target -verbose -version -Werror -Xdoclint* -Xlint* -Xmaxerrs -Xmaxwarns`,
      words: /^@/,
    },
  ],
  [
    'mkdocs',
    {
      only: '--clean --config-file --dirty --force --help --no-strict --quiet --strict --use-directory-urls --verbose --version -f [chqsvV]',
      settings: named('f|config-file'),
    },
  ],
  [
    'jupyter',
    {
      only: '--clear-output --debug --help --inplace --no-input --no-prompt --stdout --to --version -h -y',
      words: /^--to=(?:.*\.|script|python)/,
      pairs: /^--to (?:.*\.|script|python)/,
    },
  ],
  [
    'plantuml',
    {
      only: '-charset -checkonly -duration -failfast* -h -help -nometadata -progress -r -syntax -t* -v -verbose -version',
    },
  ],
  [
    'tex latex pdflatex xelatex latexmk pdftex',
    {
      only: `--bibtex --C --c --draftmode --dvi --f --file-line-error --g --gg --halt-on-error --help --interaction --no-shell-escape
        --pdf --pdfxe --pdfdvi --pdfps --ps --quiet --recorder --silent --synctex --verbose --version -C -c -f -g -h -v`,
      // latexmk hands names to a shell.
      words: /write18|[\\`$;|&<>"']/,
      anyDashes: true,
    },
  ],
  [
    'pandoc',
    {
      only: `--ascii --atx-headers --columns --css --eol --from --help --highlight-style --html-q-tags --id-prefix --incremental
        --list-* --listings --markdown-headings --mathjax --mathml --metadata --no-highlight --number-offset --number-sections
        --preserve-tabs --quiet --reference-links --reference-location --section-divs --shift-heading-level-by --standalone
        --strip-comments --syntax-definition --tab-stop --table-of-contents --title-prefix --to --toc --toc-depth
        --top-level-division --track-changes --variable --verbose --version --wrap -t [f:hir:M:NpsvV:]`,
      words: /\.lua\b|^lua$|^server$|^\+RTS|^(?:-t|--to=)?context\b/,
      plainValue: named('t|to'),
    },
  ],
]
