import { RunError } from '../contracts/errors.ts'
import { nearest } from '../lib/text/nearest.ts'
import { COMMANDS, type CommandName } from './commands.ts'

/** What to write here instead of commands of other agents, and their names. */
const FOREIGN_COMMANDS = {
  'Say it in the prompt: kode-run "Review the changes since main." kode-run init review writes a job.': 'review',
  'Use kode-run --resume last, or --resume with a transcript or a run id.': 'resume, rewind',
  'Use kode-run --resume; the old transcript stays as it is.': 'fork',
  'There is no login: set ANTHROPIC_API_KEY, or use --api-key-file. kode-run doctor checks it.':
    'login, logout, auth, setup-token',
  'Settings are in the policy file: kode-run init writes one, kode-run policy check checks it.':
    'config, settings, hooks',
  'Install the version that you want with npm; nothing updates itself.': 'update, install, upgrade',
  'Sub-agents are read from .claude/agents, the policy and --agents.': 'agents, agent, skills',
  'Nothing is installed: name the folder of a plugin with --plugin-dir, or under `plugins:` of the policy.':
    'extensions, plugin, plugins',
  'Transcripts are in the state folder; --resume takes a path, a run id or last.': 'sessions',
  'Write `sandbox:` in the policy. kode-run doctor says whether it starts here.': 'sandbox',
  'There are no such features: see kode-run --help.': 'features, cloud, telemetry',
  'There is no server mode: use the library (docs/library.md).': 'serve, mcp-server, app-server, remote-control',
  'Write the server under `mcpServers:` of the policy, or name a file with --mcp-config.':
    'mcp add, mcp add-json, mcp remove',
  'Use kode-run mcp --policy FILE.': 'mcp list, mcp get',
}

/** The command that a command line starts with. `show`: help about one command, or about all. */
export type Choice =
  | { readonly show: 'help'; readonly topic: string | undefined }
  | { readonly show: 'version' }
  | { readonly show?: never; readonly command: CommandName; readonly rest: readonly string[] }

/** Splits off a command such as `policy check` or `report`; anything else belongs to `run`. */
export function chooseCommand(argv: readonly string[]): Choice {
  const [first = '', second = ''] = argv
  const two = `${first} ${second}`
  if (first === 'help') return { show: 'help', topic: topicOf(argv.slice(1)) }
  if (first === 'version') return { show: 'version' }
  if (first === 'exec') return { command: 'run', rest: second === 'resume' ? resumed(argv.slice(2)) : afterExec(argv) }
  if (isCommand(two)) return { command: two, rest: argv.slice(2) }
  refuseForeign(two)
  if (isCommand(first)) return { command: first, rest: argv.slice(1) }
  if (first === 'policy') {
    if (second === '--help' || second === '-h') return { show: 'help', topic: 'policy' }
    throw new RunError('usage', `policy: give one of ${policyCommands().join(', ')}.`)
  }
  const flag = argv.findIndex((word) => word.startsWith('-'))
  refuseWord(first, flag === -1 ? argv : argv.slice(0, flag))
  return { command: 'run', rest: argv }
}

/**
 * Refuses a prompt that is a single word and looks like a command: the run would cost money and achieve nothing. As
 * first of the `words` of a line, every bare word does; after flags, only a word that resembles a command's name.
 */
export function refuseWord(word: string, words: readonly string[] = []): void {
  if (!/^[a-z][a-z-]+$/.test(word)) return
  refuseForeign(word)
  const asPrompt = `As a prompt: kode-run ${words.length > 1 ? `"${words.join(' ')}"` : `--prompt ${word}`}`
  if (isCommand(word) || word === 'policy')
    throw new RunError('usage', `${word} must come before all flags. ${asPrompt}`)
  const meant = meantBy(word)
  if (meant === undefined && words.length === 0) return
  const hint = meant === undefined ? 'See kode-run help.' : `Did you mean kode-run ${meant}?`
  throw new RunError('usage', `There is no command ${word}. ${hint} ${asPrompt}`)
}

function refuseForeign(words: string): void {
  const [advice] = Object.entries(FOREIGN_COMMANDS).find(([, names]) => names.split(', ').includes(words)) ?? []
  if (advice !== undefined) throw new RunError('usage', `There is no command ${words}. ${advice}`)
}

/** The command that a word resembles, or whose job or second word it is. */
function meantBy(word: string): string | undefined {
  const names = Object.keys(COMMANDS)
  if (['fix', 'nightly', 'triage'].includes(word)) return `init ${word}`
  return (
    names.find((name) => name.endsWith(` ${word}`)) ??
    (word.length < 4 ? undefined : nearest(word, [...names, 'policy']))
  )
}

/** `exec` is Codex's word for a run. */
function afterExec([, ...rest]: readonly string[]): readonly string[] {
  if (rest[0] === 'review') refuseForeign('review')
  return rest
}

/** `exec resume --last`, `exec resume ID`: Codex's way to continue. */
function resumed(words: readonly string[]): readonly string[] {
  if (words.includes('--last')) return ['--resume', 'last', ...words.filter((word) => word !== '--last')]
  const at = words.findIndex((word) => !word.startsWith('-'))
  if (at === -1) throw new RunError('usage', 'exec resume: give a run id, or --last.')
  return ['--resume', words[at] ?? '', ...words.filter((_, index) => index !== at)]
}

function topicOf(words: readonly string[]): string | undefined {
  const topic = words.join(' ')
  if (topic === '' || topic === 'policy' || isCommand(topic)) return topic === '' ? undefined : topic
  const near = nearest(topic, [...Object.keys(COMMANDS), 'policy'])
  throw new RunError('usage', `There is no command ${topic}.${near === undefined ? '' : ` Did you mean ${near}?`}`)
}

function policyCommands(): readonly string[] {
  return Object.keys(COMMANDS).flatMap((name) => (name.startsWith('policy ') ? [name.slice(7)] : []))
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}
