import type { Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { sortWords } from './sortWords.ts'
import { wrapperKind } from './wrappers.ts'

/** Their words are text, not files. */
const TALKERS = new Set(
  (
    'echo printf true false : test [ exit break continue kill killall pkill pgrep sleep seq which type command basename ' +
    'dirname expr tr date hostname id whoami uname ps pwd cd nproc tput clear wait set man info whatis apropos factor ' +
    'numfmt pathchk yes env locale getent groups users logname tty arch df free uptime'
  ).split(' '),
)

/** The first words of these name tasks, packages or sub-commands: a word is a file only where it is spelt as one. */
const RUNNERS = new Set(
  (
    'npm npx pnpm pnpx yarn bun bunx deno make gmake cmake ninja cargo go gradle gradlew mvn mvnw sbt bazel buck2 just task ' +
    'rake bundle gem pip pip3 pipx poetry uv pdm hatch tox nox conda docker podman docker-compose kubectl helm terraform gh ' +
    'glab hub brew apt apt-get dnf yum apk systemctl service tsc jest vitest mocha ' +
    'rustc rustup swift dotnet mix stack cabal composer artisan rails java javac flutter dart nx turbo lerna rush'
  ).split(' '),
)

/** The files that an unknown command may read: any word that could be a path, where a rule asks for it. */
export function guessOperands(name: string, argv: readonly Word[]): readonly FileOperand[] {
  if (TALKERS.has(name) || wrapperKind(name) !== 'none') return []
  const { operands, values, glued } = sortWords(argv)
  const isChanged = isChanging(name, argv)
  const isMaking = argv.slice(1).some((word) => word.kind === 'literal' && MAKING.test(word.value))
  const isRunner = RUNNERS.has(name) && !isChanged && !isMaking
  const found = [...operands, ...glued].flatMap((word) => {
    if (word.kind === 'dynamic') return isKnown(word, isRunner) ? fileOf(word, 'read') : []
    if (word.kind === 'glob') return isPathLike(word.value, isRunner) ? fileOf(word, 'read') : []
    return partsOf(word.value).flatMap((value) =>
      isPathLike(value, isRunner && !/:\//.test(word.value)) ? fileOf({ kind: 'literal', value }, 'read') : [],
    )
  })
  const attached = values.flatMap(partsOf).filter((value) => isPathLike(value, isRunner))
  const named = [...found, ...attached.map((path): FileOperand => ({ access: 'read', path, isPattern: false }))]
  const changed =
    isChanged || isMaking
      ? named.map((file): FileOperand => ({ ...file, access: 'write', ...(isMaking ? { isTree: true } : {}) }))
      : []
  const guesses = [...named, ...changed, ...outputsOf(name, argv)]
  return guesses.map((file) => ({ ...file, isGuess: true }))
}

/** Sub-commands that make what their operands name, or clear it: `cargo vendor ci`, `aws s3 cp s3://x/y ci/z`. */
const MAKING =
  /^(?:vendor|new|init|create|startproject|scaffold|generate|cp|mv|sync|copy|download|clone|extract|unpack|get-object|invoke|mirror|venv|co|export|--extract)$/

/** They change or write what their operands name. */
const FORMATTERS = new Set('black isort rustfmt swiftformat ktlint sphinx-build'.split(' '))
const ASKED_FORMATTERS =
  /^(?:gofmt|goimports|gofumpt|clang-format|shfmt|autopep8|yapf|prettier|npx|bunx|yarn|pnpm|uv|poetry|python3?)$/

/** Whether a tool changes the files that it is given in their places. */
function isChanging(name: string, argv: readonly Word[]): boolean {
  if (FORMATTERS.has(name)) return true
  const values = argv.slice(1).flatMap((word) => (word.kind === 'literal' ? [word.value] : []))
  const isAsked = values.some((value) => /^--(?:write|fix|fix-only|in-?place|apply|add-noqa)$/.test(value))
  const isShort = ASKED_FORMATTERS.test(name) && values.some((value) => /^-[iw]$/.test(value))
  return isAsked || isShort || values.some((value) => /^(?:format|fmt)$/.test(value) || FORMATTERS.has(value))
}

/** Options that name what a tool writes: `--log`, `--junitxml`, `--output-file`, `--cache-dir`, `-o`. */
const OUTPUT =
  /^(?:--?[\w.-]*(?:log|out|html|target$|coverage-?dir|rootdir|report|xml|cache|dump|trace|prof|save|dest|buildinfo|declarationdir|idfile|metadata|basetemp|result|write|debug|target-dir|graph|header|defines|suppressions-location)[\w.-]*|-o)$/i

/** What pytest is told to write by `-o`, in the same word or in the next. */
const SETTING = /^(?:-\w*o|--override-ini=)?(?:log_file|cache_dir)=([\s\S]+)$/

/** Options that name the folder where a tool puts files. */
const PLACES: ReadonlyMap<string, RegExp> = new Map([
  ['cmake', /^(?:-B|--prefix|--install-prefix)$/],
  ['javac', /^-[dhs]$/],
])

/** The files that such options name, in the same word or in the next. */
function outputsOf(name: string, argv: readonly Word[]): readonly FileOperand[] {
  return argv.flatMap((word, index) => {
    const text = word.kind === 'literal' ? word.value : ''
    const setting = SETTING.exec(text)?.[1]
    if (setting !== undefined) return [{ access: 'write', path: setting, isPattern: false }]
    const [, option = '', value] = /^(-[^=]*)(?:=([\s\S]*))?$/.exec(text) ?? []
    const next = argv[index + 1]
    const [, attached] = (name === 'cmake' ? /^-B(.+)$/ : /^-o([./\w].*)$/).exec(option) ?? []
    if (attached !== undefined) return [{ access: 'write', path: attached, isPattern: false }]
    const given = value ?? (next?.kind === 'literal' ? next.value : '')
    const isPlace = PLACES.get(name)?.test(option)
    if (!(isPlace || OUTPUT.test(option)) || given.startsWith('-')) return []
    return partsOf(given).flatMap((path): FileOperand[] =>
      isPathLike(path, false) ? [{ access: 'write', path, isPattern: false }] : [],
    )
  })
}

/** The word, and what may be a path in it: `src:/dst`, `file=@name`. */
function partsOf(value: string): string[] {
  return /[:=@,]/.test(value) ? [...new Set([value, ...value.split(/[:=@,]+/)])] : [value]
}

/** Whether anything is known of the word that makes it a path. */
function isKnown(word: Extract<Word, { kind: 'dynamic' }>, isRunner: boolean): boolean {
  const { prefix = '', suffix = '', patterns } = word
  if (patterns !== undefined) return true
  return isPathLike(prefix, isRunner) || (isRunner ? suffix.startsWith('/') : suffix !== '')
}

/** False for sentences, addresses and, among tasks, for plain names. */
function isPathLike(value: string, isRunner: boolean): boolean {
  const isSentence = /\s/.test(value) && !/(?:^|\/)\.\.\//.test(value)
  if (value === '' || value === '**' || value.length > 255 || isSentence || /^[a-z][\w+.-]*:\/\//i.test(value))
    return false
  return !isRunner || /[./]/.test(value)
}
