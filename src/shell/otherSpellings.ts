import type { Word } from '../contracts/subject.ts'

/** npm takes every unambiguous beginning of these, and other names for some of them. */
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
    ...['create', 'innit'].map((name) => [name, 'init']),
    ...[
      ['x', 'exec'],
      ['c', 'config'],
      ['author', 'owner'],
      ['dist-tags', 'dist-tag'],
      ['ln', 'link'],
      ['it', 'install-test'],
      ['v', 'view'],
      ['info', 'view'],
      ['show', 'view'],
      ['rb', 'rebuild'],
      ['verison', 'version'],
    ],
  ].map(([from = '', to = '']) => [from, to]),
)

/** Other words for the same command, which a deny may be written in: `git-push` and `git subtree push` for `git push`. */
export function otherSpellings(name: string, argv: readonly Word[]): readonly (readonly Word[])[] {
  if (name.startsWith('git-')) return [[word('git'), word(name.slice('git-'.length)), ...argv.slice(1)]]
  if (name === 'git') return gitSpellings(argv)
  if (name === 'cargo') return cargoSpellings(argv)
  if (GOALS.has(name)) return goalSpellings(argv)
  return name === 'npm' ? npmSpellings(argv) : []
}

/** Each word behind them is something to do. */
const GOALS = new Set('make gmake bmake rake ninja just task mvn mvnw gradle gradlew turbo'.split(' '))
const MOST_GOALS = 32

/** Every goal as the first, and without a folder or a project before it: `make all ./deploy`, `gradle :publish`. */
function goalSpellings(argv: readonly Word[]): Word[][] {
  const goals = argv
    .flatMap((each, index) => (index > 0 && /^[^-]/.test(textOf(each)) ? [index] : []))
    .slice(0, MOST_GOALS)
  return goals.map((at) => [
    ...argv.slice(0, 1),
    word(textOf(argv[at]).replace(/^(?:\.\/|:)+/, '')),
    ...argv.slice(at + 1),
  ])
}

const CARGO_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({ b: 'build', c: 'check', d: 'doc', r: 'run', rm: 'remove', t: 'test' }),
)

/** Without the toolchain in front, and with the names that cargo has letters for. */
function cargoSpellings(argv: readonly Word[]): Word[][] {
  const own = argv.filter((each, index) => index !== 1 || !textOf(each).startsWith('+'))
  const at = own.findIndex((each, index) => index > 0 && CARGO_ALIASES.has(textOf(each)))
  const written =
    at < 0 ? own : own.map((each, index) => (index === at ? word(CARGO_ALIASES.get(textOf(each)) ?? '') : each))
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
  if (subcommand === 'subtree') {
    const inner = rest.findIndex((each) => /^(?:push|pull|fetch|merge)$/.test(textOf(each)))
    return inner < 0 ? [] : [[word('git'), ...rest.slice(inner)]]
  }
  if (subcommand === 'bisect') {
    const inner = rest.findIndex((each) => /^(?:view|visualize|run)$/.test(textOf(each)))
    return inner < 0 ? [] : [[word('git'), ...rest.slice(inner + 1)], rest.slice(inner + 1)]
  }
  const alias = GIT_ALIASES.get(subcommand)
  return alias === undefined ? [] : [[word('git'), word(alias), ...rest]]
}

/** With the first words that could be a shortened or another name written out. */
function npmSpellings(argv: readonly Word[]): Word[][] {
  const places = [...argv.keys()].filter((index) => index > 0 && /^[a-z]/.test(textOf(argv[index]))).slice(0, 3)
  return places.flatMap((place) =>
    npmNames(textOf(argv[place])).map((name) => argv.map((each, index) => (index === place ? word(name) : each))),
  )
}

/** Also `runScript`; a restart stops and starts. */
function npmNames(given: string): string[] {
  if (given === 'restart') return ['stop', 'start']
  const text = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  if (text !== given) return [...new Set([NPM_ALIASES.get(text) ?? text, ...npmNames(text)])]
  const alias = NPM_ALIASES.get(text)
  const longer = NPM_COMMANDS.filter((name) => name !== text && name.startsWith(text))
  const names = alias === undefined ? (NPM_COMMANDS.includes(text) ? [] : longer) : [alias]
  return [...new Set(names.map((name) => NPM_ALIASES.get(name) ?? name))]
}

function word(value: string): Word {
  return { kind: 'literal', value }
}

function textOf(each: Word | undefined): string {
  return each?.kind === 'literal' ? each.value : ''
}
