import type { Word } from '../../contracts/subject.ts'
import { literalWord, textOf } from './literalWord.ts'
import { synonyms } from './synonyms.ts'

/** Other programs that accept every unambiguous prefix of a command. */
const SHORTENED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    composer:
      'archive bump config create-project exec global install reinstall remove require run-script self-update update',
    gem: 'build cert check cleanup exec fetch install list lock open owner pristine push signin sources uninstall update yank',
    hg: 'add backout bookmark branch bundle clone commit config export graft histedit import init merge pull push rebase remove revert rollback strip tag update',
  }).map(([name, commands]) => [name, commands.split(' ')]),
)

/** Without a command they install. */
const BARE_INSTALLERS = new Set(['bundle', 'yarn'])

const MAX_SPELLINGS = 64

/** Other words for the same command, which a deny rule may use: `git-push` and `git subtree push` for `git push`. */
export function otherSpellings(name: string, argv: readonly Word[]): readonly (readonly Word[])[] {
  const own = ownSpellings(name, argv)
  const once = [argv, ...own].flatMap((words) => synonyms(textOf(words[0]).replace(/^.*\//, ''), words))
  const twice = once.flatMap((words) => synonyms(textOf(words[0]), words))
  return [...own, ...once, ...twice].slice(0, MAX_SPELLINGS)
}

function ownSpellings(name: string, argv: readonly Word[]): readonly (readonly Word[])[] {
  if (name.startsWith('git-')) return [[literalWord('git'), literalWord(name.slice('git-'.length)), ...argv.slice(1)]]
  if (name === 'git') return gitSpellings(argv)
  if (name === 'cargo') return cargoSpellings(argv)
  if (name === 'npm') return npmSpellings(argv)
  if (name === 'uv' && textOf(argv[1]) === 'pip') return [argv.slice(1)]
  if (/^python[\d.]*$/.test(name)) return moduleSpellings(argv)
  if (name === 'docker-compose') return [[literalWord('docker'), literalWord('compose'), ...argv.slice(1)]]
  if (BARE_INSTALLERS.has(name) && argv.slice(1).every((each) => textOf(each).startsWith('-'))) {
    return [[...argv, literalWord('install')]]
  }
  if (GOALS.has(name)) return goalSpellings(name, argv)
  const commands = SHORTENED.get(name)
  return commands === undefined ? [] : writtenOut(argv, (text) => commands.filter((each) => each.startsWith(text)))
}

/** `python3 -m twine upload` does what `twine upload` does. */
function moduleSpellings(argv: readonly Word[]): Word[][] {
  const found = pythonModule(argv)
  return found ? [[literalWord(found.module), ...argv.slice(found.start)]] : []
}

/** Each of their operands is a task. */
const GOALS = new Set('make gmake bmake rake ninja just task mvn mvnw gradle gradlew turbo'.split(' '))
const MAX_GOALS = 32

/** Tasks that gradle also accepts by the prefixes of their parts: `pTML`. */
const GRADLE_TASKS =
  'assemble bootRun build check clean deploy jar publish publishToMavenLocal release run test uploadArchives'
    .split(' ')
    .map((task) => ({ task, parts: task.split(/(?=[A-Z])/) }))

/** Every goal as if it came first, without a folder or projects before: `make all ./deploy`, `gradle :app:publish`. */
function goalSpellings(name: string, argv: readonly Word[]): Word[][] {
  const goals = argv
    .flatMap((each, index) => (index > 0 && /^[^-]/.test(textOf(each)) ? [index] : []))
    .slice(0, MAX_GOALS)
  return goals.flatMap((at) => {
    const plain = textOf(argv[at]).replace(/^(?:\.\/|:)+/, '')
    const task = plain.slice(plain.lastIndexOf(':') + 1)
    const tasks = name.startsWith('gradle') ? [plain, task, ...gradleTasks(task)] : [plain]
    return [...new Set(tasks)].map((goal) => [...argv.slice(0, 1), literalWord(goal), ...argv.slice(at + 1)])
  })
}

function gradleTasks(given: string): string[] {
  const parts = given.split(/(?=[A-Z])/)
  return GRADLE_TASKS.filter(
    (known) =>
      parts.length <= known.parts.length &&
      parts.every((part, index) => part !== '' && known.parts[index]?.startsWith(part)),
  ).map(({ task }) => task)
}

const CARGO_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({ b: 'build', c: 'check', d: 'doc', r: 'run', rm: 'remove', t: 'test' }),
)

/** Without the toolchain in front, and with cargo's one-letter names written out. */
function cargoSpellings(argv: readonly Word[]): Word[][] {
  const own = argv.filter((each, index) => index !== 1 || !textOf(each).startsWith('+'))
  const at = own.findIndex((each, index) => index > 0 && CARGO_ALIASES.has(textOf(each)))
  const written =
    at < 0 ? own : own.map((each, index) => (index === at ? literalWord(CARGO_ALIASES.get(textOf(each)) ?? '') : each))
  return own.length < argv.length || at >= 0 ? [written] : []
}

const GIT_ALIASES: ReadonlyMap<string, string> = new Map([
  ['send-pack', 'push'],
  ['http-push', 'push'],
  ['fetch-pack', 'fetch'],
  ['http-fetch', 'fetch'],
  ['whatchanged', 'log'],
  ['stage', 'add'],
])

function gitSpellings(argv: readonly Word[]): Word[][] {
  const at = argv.findIndex((each, index) => index > 0 && each.kind === 'literal' && !each.value.startsWith('-'))
  const subcommand = textOf(argv[at])
  const rest = argv.slice(at + 1)
  if (subcommand === 'push') return pushSpellings(argv, at)
  if (subcommand === 'commit') return commitSpellings(argv)
  if (subcommand === 'subtree') {
    const inner = rest.findIndex((each) => /^(?:push|pull|fetch|merge)$/.test(textOf(each)))
    return inner < 0 ? [] : [[literalWord('git'), ...rest.slice(inner)]]
  }
  if (subcommand === 'bisect') {
    const inner = rest.findIndex((each) => /^(?:view|visualize|run)$/.test(textOf(each)))
    return inner < 0 ? [] : [[literalWord('git'), ...rest.slice(inner + 1)], rest.slice(inner + 1)]
  }
  const alias = GIT_ALIASES.get(subcommand)
  return alias === undefined ? [] : [[literalWord('git'), literalWord(alias), ...rest]]
}

/** `-n` is `--no-verify`. */
function commitSpellings(argv: readonly Word[]): Word[][] {
  const isShort = argv.some((each) => /^-[^-mFCctSu]*n/.test(textOf(each)))
  const isLong = argv.some((each) => /^--no-v/.test(textOf(each)))
  if (!isShort && !isLong) return []
  return [[...argv, literalWord(isShort ? '--no-verify' : '-n')]]
}

/** With the names of the branches that are written: `HEAD:refs/heads/main` and `+main` become `main`. */
function pushSpellings(argv: readonly Word[], at: number): Word[][] {
  const remote = argv.findIndex((each, index) => index > at && !textOf(each).startsWith('-'))
  const plain = argv.map((each, index) => {
    const branch = /^(?:\+?[^:]*:|\+)?(?:refs\/heads\/)?([^:]+)$/.exec(textOf(each))?.[1]
    const isOther = index > remote && remote > 0 && branch !== undefined && branch !== textOf(each)
    return isOther ? literalWord(branch) : each
  })
  const isDeleting = argv.some((each, index) => index > remote && remote > 0 && /^:./.test(textOf(each)))
  if (isDeleting) return [[...plain, literalWord('--delete')], plain]
  return plain.some((each, index) => each !== argv[index]) ? [plain] : []
}

/** With the first words replaced by names they may abbreviate. Without an initializer, `init` executes nothing. */
function npmSpellings(argv: readonly Word[]): Word[][] {
  const isAlone = argv.filter((each, index) => index > 0 && !textOf(each).startsWith('-')).length < 2
  return writtenOut(argv, (given) => npmNames(given).filter((name) => !isAlone || !/^(?:exec|x)$/.test(name)))
}

function writtenOut(argv: readonly Word[], namesOf: (given: string) => readonly string[]): Word[][] {
  const places = [...argv.keys()].filter((index) => index > 0 && /^[a-z]/.test(textOf(argv[index]))).slice(0, 3)
  return places.flatMap((place) =>
    namesOf(textOf(argv[place])).map((name) => argv.map((each, index) => (index === place ? literalWord(name) : each))),
  )
}

/** The module that `python3 -m` runs, and where its arguments start. */
function pythonModule(argv: readonly Word[]): { readonly module: string; readonly start: number } | undefined {
  const at = argv.findIndex((word) => word.kind === 'literal' && /^-[bBdEhiIOqsSuvVx]*m/.test(word.value))
  const option = argv[at]?.kind === 'literal' ? argv[at].value : ''
  const joined = option.slice(option.indexOf('m') + 1)
  if (at < 0 || joined !== '') return at < 0 ? undefined : { module: joined, start: at + 1 }
  const next = argv[at + 1]
  return next?.kind === 'literal' ? { module: next.value, start: at + 2 } : undefined
}

/** npm accepts every unambiguous prefix of these, and other names for some. */
const NPM_COMMANDS = (
  'access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs doctor edit exec explain explore ' +
  'find-dupes fund get help hook init install install-ci-test install-test link login logout ls org outdated owner pack ping ' +
  'pkg prefix profile prune publish query rebuild repo restart root run-script run sbom search set shrinkwrap star stars start ' +
  'stop team test token uninstall unpublish unstar update version view whoami'
).split(' ')

const NPM_ALIASES: ReadonlyMap<string, string> = new Map(
  [
    ...['i', 'in', 'ins', 'inst', 'insta', 'instal', 'isnt', 'isnta', 'isntal', 'isntall', 'add'].map((name) => [
      name,
      'install',
    ]),
    ...['un', 'unlink', 'remove', 'rm', 'r'].map((name) => [name, 'uninstall']),
    ...['rum', 'urn', 'run-script'].map((name) => [name, 'run']),
    ...['clean-install', 'ic', 'install-clean', 'isntall-clean'].map((name) => [name, 'ci']),
    ...['up', 'upgrade', 'udpate'].map((name) => [name, 'update']),
    ...['t', 'tst'].map((name) => [name, 'test']),
    ...['add-user', 'login'].map((name) => [name, 'adduser']),
    ...[
      ['x', 'exec'],
      ['c', 'config'],
      ['author', 'owner'],
      ['dist-tags', 'dist-tag'],
      ['ln', 'link'],
      ['v', 'view'],
      ['info', 'view'],
      ['show', 'view'],
      ['rb', 'rebuild'],
      ['verison', 'version'],
    ],
  ].map(([from = '', to = '']) => [from, to]),
)

/** Aliases of other commands. */
const SEVERAL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    restart: ['stop', 'start'],
    it: ['install-test', 'install', 'test'],
    'install-test': ['install', 'test'],
    cit: ['install-ci-test', 'ci', 'test'],
    sit: ['install-ci-test', 'ci', 'test'],
    'clean-install-test': ['install-ci-test', 'ci', 'test'],
    'install-ci-test': ['ci', 'test'],
    init: ['exec', 'x'],
    create: ['init', 'exec', 'x'],
    innit: ['init', 'exec', 'x'],
  }),
)

/** What npm may take another word for: `pk` for `pkg`, `runScript`; restart stops and starts, `create x` runs one. */
function npmNames(given: string): string[] {
  const several = SEVERAL.get(given)
  if (several) return [...several]
  const text = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  if (text !== given) return [...new Set([NPM_ALIASES.get(text) ?? text, ...npmNames(text)])]
  const alias = NPM_ALIASES.get(text)
  const longer = NPM_COMMANDS.filter((name) => name !== text && name.startsWith(text))
  const names = alias === undefined ? (NPM_COMMANDS.includes(text) ? [] : longer) : [alias]
  return [...new Set(names.map((name) => NPM_ALIASES.get(name) ?? name))]
}
