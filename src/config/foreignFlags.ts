/** A flag that users know from another agent, and how kode-run treats it. */
export type ForeignFlag = {
  /** Why it is not needed, or what to write instead. */
  readonly says: string
  readonly alias?: readonly string[]
  /** The placeholder for its value; absent if it takes none. */
  readonly value?: string
  /**
   * By value (`''` for none, `*` for any): the equivalent words here. No words: the flag is not needed, and `says` is a
   * warning. Other values are refused.
   */
  readonly becomes?: Readonly<Record<string, readonly string[]>>
  /** The flag is only foreign if the next word does not match this. */
  readonly notBefore?: RegExp
}

const NO_SKIPPING = 'No flag skips permissions: allow what the task needs in the policy.'
const NO_SESSIONS = 'There are no interactive sessions: use --resume.'
const NO_PLUGINS = 'There are no plugins: name tools and servers in the policy.'
const NO_TERMINAL = 'There is no interactive screen.'
const OWN_MODELS = 'Requests go to the Messages API: use --model, and ANTHROPIC_BASE_URL for a gateway.'
const NOTHING = { '': [] }

/**
 * The flags of Claude Code, Codex and Gemini CLI that kode-run does not have. They are translated, ignored with a
 * warning, or refused.
 */
export const FOREIGN_FLAGS: Readonly<Record<string, ForeignFlag>> = {
  json: {
    says: 'Use --output-format.',
    alias: ['experimental-json'],
    becomes: { '': ['--output-format', 'stream-json'] },
  },
  continue: { says: 'Use --resume last.', becomes: { '': ['--resume', 'last'] } },
  c: {
    says: 'Settings are flags here, or stand under `run:` of the policy.',
    becomes: { '': ['--resume', 'last'] },
    notBefore: /=/,
  },
  debug: { says: 'Use --verbose.', alias: ['d', 'mcp-debug'], becomes: { '': ['--verbose'] } },
  'approval-mode': {
    says: 'No mode skips permissions.',
    value: 'MODE',
    becomes: {
      default: ['--permission-mode', 'default'],
      auto_edit: ['--permission-mode', 'acceptEdits'],
      plan: ['--permission-mode', 'plan'],
    },
  },
  'ask-for-approval': {
    says: 'Nobody is asked: what no rule allows is denied.',
    alias: ['a'],
    value: 'POLICY',
    becomes: { never: [] },
  },
  'input-format': {
    says: 'The prompt is plain text: argument, --prompt-file or stdin.',
    value: 'FORMAT',
    becomes: { text: [] },
  },
  'include-partial-messages': { says: 'stream-json has whole messages only.', becomes: NOTHING },
  'include-hook-events': { says: 'stream-json always has the events of hooks.', becomes: NOTHING },
  'replay-user-messages': { says: 'stream-json always has all messages.', becomes: NOTHING },
  'skip-git-repo-check': { says: 'No repository is needed.', becomes: NOTHING },
  'skip-trust': { says: 'Folders are not trusted or distrusted: the policy says what is allowed.', becomes: NOTHING },
  'ignore-user-config': { says: 'Only what --policy or --settings names is read.', becomes: NOTHING },
  'ignore-rules': { says: 'Only what --policy or --settings names is read.', becomes: NOTHING },
  'no-session-persistence': { says: 'A run always has a transcript; --transcript says where.', becomes: NOTHING },
  ephemeral: { says: 'A run always has a transcript; --transcript says where.', becomes: NOTHING },
  checkpointing: { says: 'Every run can be continued: --resume.', becomes: NOTHING },
  'fork-session': { says: 'A resumed run has a transcript of its own; the old one stays as it is.', becomes: NOTHING },
  'exclude-dynamic-system-prompt-sections': { says: 'The system prompt has none.', becomes: NOTHING },
  'disable-slash-commands': { says: 'A slash command runs only where the prompt starts with it.', becomes: NOTHING },
  'raw-output': { says: 'stdout is safe to show in a log.', alias: ['accept-raw-output-risk'], becomes: NOTHING },
  'screen-reader': { says: NO_TERMINAL, alias: ['no-alt-screen', 'show-memory-usage'], becomes: NOTHING },
  ide: { says: NO_TERMINAL, alias: ['chrome', 'no-chrome'], becomes: NOTHING },
  betas: { says: 'The client sends the headers that the model needs.', value: 'NAMES', becomes: { '*': [] } },
  name: { says: 'A run has an id, which is in the result.', alias: ['n'], value: 'NAME', becomes: { '*': [] } },
  'dangerously-skip-permissions': { says: NO_SKIPPING },
  'allow-dangerously-skip-permissions': { says: NO_SKIPPING },
  'dangerously-bypass-approvals-and-sandbox': { says: NO_SKIPPING },
  yolo: { says: NO_SKIPPING, alias: ['y'] },
  'full-auto': { says: 'There is no such mode: use --permission-mode acceptEdits and rules in the policy.' },
  sandbox: {
    says: 'Write `sandbox: { mode: required }` and rules in the policy; without a policy a run only reads.',
    alias: ['s'],
  },
  'sandbox-image': { says: 'Start kode-run in the container that you want.' },
  'api-key': { says: 'Every process can read a key on the command line: use --api-key-file or ANTHROPIC_API_KEY.' },
  'session-id': { says: 'The id of a run is made by kode-run; find it in the result.' },
  'setting-sources': { says: 'Only what --policy or --settings names is read.' },
  'permission-prompt-tool': { says: 'Nobody is asked: use a PermissionRequest hook.' },
  'prompt-interactive': { says: 'Runs are not interactive: use -p.' },
  i: { says: 'Name the image in the prompt, for the Read tool. A prompt goes with -p.' },
  image: { says: 'Name the image in the prompt: the Read tool shows images.' },
  file: { says: 'Name the file in the prompt: the Read tool reads it.' },
  'max-budget': { says: 'Use --max-budget-usd.' },
  'allow-tools': { says: 'Use --allowedTools.' },
  'allowed-mcp-server-names': { says: 'Name the servers in the policy (`mcpServers:`), or with --mcp-config.' },
  'include-directories': { says: 'Use --add-dir, once for each folder.' },
  'all-files': { says: 'Name the files in the prompt: the agent reads what it needs.' },
  config: { says: 'Settings are flags here, or stand under `run:` of the policy.' },
  profile: { says: 'Use --policy FILE, one for each kind of job.', alias: ['admin-policy'] },
  enable: { says: 'There are no such features: see kode-run --help.', alias: ['disable'] },
  oss: { says: OWN_MODELS, alias: ['local-provider'] },
  proxy: { says: 'Set HTTPS_PROXY in the environment.' },
  search: { says: 'Allow WebSearch in the policy.' },
  agent: { says: 'Say in the prompt which agent to use; --agents defines more.' },
  worktree: { says: 'Use git worktree add, then --cwd.', alias: ['w'] },
  last: { says: 'Use --resume last.' },
  'list-sessions': { says: 'Transcripts are in the state folder; --resume takes a path, a run id or last.' },
  'delete-session': { says: 'Delete the transcript: it is one file.' },
  'debug-file': { says: 'Use --verbose and redirect stderr.' },
  extensions: { says: NO_PLUGINS, alias: ['e', 'l', 'list-extensions', 'plugin-dir'] },
  teleport: { says: NO_SESSIONS, alias: ['remote', 'remote-control', 'tmux', 'teammate-mode', 'from-pr'] },
  acp: { says: 'Editors cannot control it: use the library.', alias: ['experimental-acp'] },
  init: { says: 'Use kode-run init.', alias: ['init-only', 'maintenance'] },
}

/** The flag with this name or alias. */
export function findForeignFlag(name: string): ForeignFlag | undefined {
  if (Object.hasOwn(FOREIGN_FLAGS, name)) return FOREIGN_FLAGS[name]
  return Object.values(FOREIGN_FLAGS).find(({ alias }) => alias?.includes(name))
}
