import type { DangerousOptions } from './dangerousOptions.ts'

/**
 * Options whole and with `=`, with one dash or two, some with `_` for a dash between; these programs take no beginnings of
 * their names.
 */
function named(...names: readonly string[]): RegExp {
  return new RegExp(`^--?(?:${names.join('|').replaceAll('-', '[-_]')})(?:=|$)`)
}

/** Every beginning of these names that a parser of Python takes for them, but for the whole name where `isWhole` is not set. */
function begun(isWhole: boolean, ...names: readonly string[]): string {
  const ends = names.flatMap((name) =>
    [...name].map((_, index) => name.slice(0, index + 1)).slice(3, isWhole ? undefined : -1),
  )
  return `^--(?:${ends.join('|')})(?:=|$)`
}

/** What the clients' own commands and the server's run, read or write. */
const SQL_PROGRAMS =
  /\\|\bprogram\b|\bsystem\b|^-\w*f|^--file|outfile|dumpfile|(?:^|[;=\n]|^-\w*e)\s*(?:tee|pager|source|edit)\b/i

/** Other modes, files of settings, and what runs instead of a compiler that is known by its name. */
const CMAKE =
  /^-(?:E|P|C)|^(?:-D)?\s*\w*_(?:EXECUTABLE|PROGRAM|INTERPRETER)(?::\w+)?=|^--(?:toolchain|graphviz|help-|system-info|trace-redirect|profiling)|=[^;]*[$`&|<>\n]|^(?:-D)?\s*CMAKE_\w*(?:COMPILER|LAUNCHER|LINKER|PROGRAM|RULE|INCLUDE|TOOLCHAIN|COMMAND)\w*(?::\w+)?=(?!(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ccache|ninja|make|lld|mold)(?:-\d+)?$)/

const HELM = 'post-renderer|post-renderer-args|kubeconfig|output-dir|repository-config|registry-config|repository-cache'
const KUSTOMIZE = 'enable-helm|helm-command|load-restrictor|enable-alpha-plugins|enable-exec|mount|network'

/**
 * Options by which build tools, checkers and clients run a program of the caller's choice, load code or settings from a
 * place of the caller's choice, or write a file.
 */
export const toolOptions: readonly (readonly [names: string, options: DangerousOptions])[] = [
  [
    'psql',
    {
      long: ['output', 'log-file', 'file'],
      short: 'oLf',
      valued: 'dhpUcvFRTP',
      words: SQL_PROGRAMS,
      needs: /^-\w*c|^--command|^-\w*l$|^--(?:list|version|help)/,
    },
  ],
  [
    'mysql mariadb',
    {
      long: ['pager', 'tee', 'init-command'],
      words: SQL_PROGRAMS,
      needs: /^-\w*e|^--execute|^--(?:version|help)/,
    },
  ],
  ['kubectl', { words: named('kubeconfig|profile|profile-output|cache-dir|log-file|log-dir', KUSTOMIZE) }],
  ['kustomize', { words: named('o|output', KUSTOMIZE), short: 'o' }],
  ['helm', { words: named(HELM) }],
  ['terraform tofu', { words: named('out|state-out|generate-config-out|backup|chdir|plugin-dir'), takesFiles: true }],
  [
    'docker podman',
    { words: named('o|output|iidfile|metadata-file|cidfile'), short: 'o', valued: 'tfvpewumlcahHn', takesFiles: true },
  ],
  ['pip pip3', { long: ['log', 'log-file', 'local-log', 'python', 'cache-dir', 'report', 'editor'], takesFiles: true }],
  [
    'mvn mvnw',
    {
      words:
        /^-(?:f|l|s|gs|t|gt|ps)$|^--(?:file|log-file|settings|global-settings|project-settings|toolchains|global-toolchains)(?:=|$)|^-D(?:exec\.|argLine|jvm|maven\.(?:ext|repo|surefire)|surefire|debugForked)|^[A-Za-z][\w.-]*(?::[\w.-]+)+$/,
    },
  ],
  [
    'gradle gradlew',
    {
      words:
        /^-(?:b|c|p|I|g)(?:$|=|[./])|^-I|^-(?![DPx])[a-zA-Z]+[bcpIg](?:$|=|[./])|^--(?:build-file|settings-file|project-dir|init-script|include-build|gradle-user-home|project-cache-dir)(?:=|$)|^-Dorg\.gradle\.j/,
    },
  ],
  ['cmake', { words: CMAKE }],
  ['ninja', { short: 'f', valued: 'Cjkldtw' }],
  ['apt apt-get apt-cache aptitude', { words: /^-[^-]*[oc]|^--(?:op|conf)/i }],
  ['ssh-keygen', { short: 'Dw', valued: 'CEFIMNOPRVYZabfmnrstz' }],
  ['dpkg dpkg-query dpkg-deb', { words: /^--(?:pre-invoke|post-invoke|path|status-logger|log|admindir|instdir|root)/ }],
  ['iptables ip6tables', { long: ['modprobe'], short: 'M' }],
  ['nmap', { words: /^-o[NXSGA]|^--?(?:sc|data|servicedb|versiondb|sty|res|iL)/ }],
  ['dot neato fdp sfdp circo twopi osage', { short: 'l', valued: 'TGNEKnso' }],
  ['mysqldump mariadb-dump', { long: ['result-file', 'tab', 'log-error'], short: 'rT', valued: 'hPuBwS' }],
  ['pg_dump pg_dumpall', { long: ['file'], short: 'f', valued: 'dFjnNtTUhpEZ' }],
  ['redis-cli', { words: /^--(?:rdb|functions-rdb|eval)/ }],
  ['pyright basedpyright', { words: named('pythonpath'), plainValue: named('p|project'), takesFiles: true }],
  ['tsc', { words: /^@|^--?(?:generate(?:trace|cpuprofile)|tsbuildinfofile)/i, takesFiles: true }],
  [
    'webpack rollup vite babel postcss tailwindcss tsup swc svgo',
    { plainValue: named('c|config|config-file'), takesFiles: true },
  ],
  ['xmllint', { long: ['output', 'shell'] }],
  ['xsltproc', { long: ['output', 'load-trace', 'profile', 'dumpextensions'], short: 'o' }],
  ['ctags etags', { long: ['options', 'output', 'optlib-dir'], short: 'foL' }],
  ['gofmt goimports gofumpt', { words: /^--?(?:cpuprofile|memprofile|trace)/ }],
  ['ss', { words: /^-\w*D|^--d/ }],
  ['javac', { words: /^-+(?:processor|Xplugin|J|proc:only|agent|h$|s$)|^@/ }],
  ['clang-tidy', { words: /load|plugin|export-fixes|config-file|vfsoverlay/ }],
  ['cppcheck', { words: /^--(?:addon|clang|plist-output|output-file|cppcheck-build-dir|project)/ }],
  ['rubocop', { short: 'roc', words: /^--(?:require|out|config|format=\S*\/|plugin)/ }],
  [
    'stylelint',
    {
      words: named('custom-formatter|custom-syntax|o|output-file|cache-location'),
      short: 'o',
      plainValue: named('config'),
    },
  ],
  ['ctest', { words: /^-S|^--script|^-D(?:art)?$|^--(?:build-and-test|output-log|output-junit)|^-O/ }],
  ['bison', { short: 'SL', valued: 'obpDFW', long: ['skeleton', 'language'] }],
  [
    'eslint',
    {
      words: named(
        'rulesdir|resolve-plugins-relative-to|parser|plugin|o|output-file|cache-file|cache-location|suppressions-location',
      ),
      plainValue: named('c|config|f|format'),
      short: 'o',
      takesFiles: true,
    },
  ],
  [
    'prettier',
    { words: named('plugin|cache-location|plugin-search-dir'), plainValue: named('config'), takesFiles: true },
  ],
  [
    'ruff',
    { short: 'o', words: /^@|^--(?:output-file|cache-dir)(?:=|$)/, plainValue: named('config'), takesFiles: true },
  ],
  [
    'flake8',
    {
      words: new RegExp(`${begun(true, 'output-file', 'filename')}|${begun(false, 'config', 'append-config')}`),
      plainValue: named('config|append-config'),
      takesFiles: true,
    },
  ],
  ['coverage', { words: named('directory|data-file'), short: 'od', plainValue: named('rcfile'), takesFiles: true }],
  ['bandit', { words: new RegExp(begun(true, 'output')), short: 'o', valued: 'bcefnpstx', takesFiles: true }],
  [
    'mypy',
    {
      words: new RegExp(
        `^@|^--[\\w-]+-rep|${begun(true, 'junit-xml', 'cache-dir', 'python-executable', 'custom-typeshed-dir', 'install-types', 'shadow-file')}|${begun(false, 'config-file')}`,
      ),
      plainValue: named('config-file'),
      takesFiles: true,
    },
  ],
  [
    'pylint',
    {
      words: new RegExp(
        `^(?:--output-f[\\w-]*=|-f)?\\w+:.|^(?:--output-f[\\w-]*=|-f).*\\.|${begun(true, 'init-hook', 'load-plugins', 'output', 'plugin-path')}|${begun(false, 'rcfile')}`,
      ),
      // A reporter with a dot in its name is a class of the project.
      pairs: /^(?:-f|--output-f[\w-]*) .*\./,
      plainValue: named('rcfile'),
      takesFiles: true,
    },
  ],
  [
    'markdownlint markdownlint-cli2',
    { words: named('rules|output'), short: 'ro', valued: 'is', plainValue: named('c|config'), takesFiles: true },
  ],
  ['typedoc', { words: named('plugin|out|json'), plainValue: named('options'), takesFiles: true }],
  ['mkdocs', { words: /^-(?:[a-z]+f|f.)/, plainValue: named('f|config-file') }],
  ['jupyter', { words: /^--(?:conf|templ|to=.*\.)/ }],
  ['plantuml', { words: named('graphvizdot|o|config|pipe') }],
  [
    'tex latex pdflatex xelatex lualatex latexmk pdftex luatex',
    { words: /^-+(?:sh|enable-w|cnf)|write18|\\|^-e$|^-+(?:lua|r$)/ },
  ],
  [
    'pandoc',
    {
      words: /\.lua\b|^lua$|^server$/,
      long: [
        'data-dir',
        'filter',
        'lua-filter',
        'pdf-engine',
        'pdf-engine-opt',
        'output',
        'extract-media',
        'defaults',
        'log',
      ],
      short: 'FLodt',
      valued: 'frMVDHBAcT',
    },
  ],
  [
    'gpg gpg2',
    {
      long: [
        ...['options', 'output', 'homedir', 'exec-path', 'photo-viewer', 'load-extension', 'trustdb-name'],
        ...['log-file', 'logger-file', 'status-file', 'attribute-file', 'command-file'],
        ...['keyring', 'primary-keyring', 'secret-keyring'],
        ...[
          'agent-program',
          'dirmngr-program',
          'pinentry-program',
          'scdaemon-program',
          'keyboxd-program',
          'tpm2d-program',
        ],
      ],
      words: /^--\w[\w-]*(?:file|keyring|db-name|command|program)/,
      short: 'o',
    },
  ],
]
