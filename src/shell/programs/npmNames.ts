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
export function npmNames(given: string): string[] {
  const several = SEVERAL.get(given)
  if (several) return [...several]
  const text = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  if (text !== given) return [...new Set([NPM_ALIASES.get(text) ?? text, ...npmNames(text)])]
  const alias = NPM_ALIASES.get(text)
  const longer = NPM_COMMANDS.filter((name) => name !== text && name.startsWith(text))
  const names = alias === undefined ? (NPM_COMMANDS.includes(text) ? [] : longer) : [alias]
  return [...new Set(names.map((name) => NPM_ALIASES.get(name) ?? name))]
}
