/** A flag that users know from another agent, and how kode-run treats it. */
export type ForeignFlag = {
  /** Why it is not needed, or what to write instead. */
  readonly advice: string
  readonly alias?: readonly string[]
  /** The placeholder for its value; absent if it takes none. */
  readonly value?: string
  /** A next word that is its value, where it may have none. */
  readonly optional?: RegExp
  /**
   * By value (`''` for none, `*` for any): the equivalent words here. No words: the flag is not needed, and `advice` is a
   * warning. Other values are refused.
   */
  readonly replacements?: Readonly<Record<string, readonly string[]>>
  /** The flag is only foreign if the next word does not match this. */
  readonly notBefore?: RegExp
}

const NO_SKIPPING = 'No flag skips permissions: allow what the task needs in the policy.'
const NO_SESSIONS = 'There are no interactive sessions: use --resume.'
const NO_PLUGINS = 'Nothing is downloaded: name the folder of a plugin with --plugin-dir.'
const NO_TERMINAL = 'There is no interactive screen.'
const OWN_MODELS = 'Requests go to the Messages API: use --model, and ANTHROPIC_BASE_URL for a gateway.'
const NOTHING = { '': [] }

/**
 * The flags of Claude Code, Codex and Gemini CLI that kode-run does not have. They are translated, ignored with a
 * warning, or refused.
 */
export const FOREIGN_FLAGS: Readonly<Record<string, ForeignFlag>> = {
  json: {
    advice: 'Use --output-format.',
    alias: ['experimental-json'],
    replacements: { '': ['--output-format', 'stream-json'] },
  },
  continue: { advice: 'Use --resume last.', replacements: { '': ['--resume', 'last'] } },
  c: {
    advice: 'Settings are flags here, or keys under `run:` of the policy.',
    replacements: { '': ['--resume', 'last'] },
    notBefore: /=/,
  },
  debug: { advice: 'Use --verbose.', alias: ['d', 'mcp-debug'], replacements: { '': ['--verbose'] } },
  'approval-mode': {
    advice: 'No mode skips permissions.',
    value: 'MODE',
    replacements: {
      default: ['--permission-mode', 'default'],
      auto_edit: ['--permission-mode', 'acceptEdits'],
      plan: ['--permission-mode', 'plan'],
    },
  },
  'ask-for-approval': {
    advice: 'Nobody is asked: what no rule allows is denied.',
    alias: ['a'],
    value: 'POLICY',
    replacements: { never: [] },
  },
  'include-hook-events': { advice: 'stream-json always has the events of hooks.', replacements: NOTHING },
  'replay-user-messages': { advice: 'stream-json always has all messages.', replacements: NOTHING },
  'skip-git-repo-check': { advice: 'No repository is needed.', replacements: NOTHING },
  'skip-trust': {
    advice: 'Folders are not trusted or distrusted: the policy says what is allowed.',
    replacements: NOTHING,
  },
  'ignore-user-config': { advice: 'Only what --policy or --settings names is read.', replacements: NOTHING },
  'ignore-rules': { advice: 'Only what --policy or --settings names is read.', replacements: NOTHING },
  'no-session-persistence': {
    advice: 'A run always has a transcript; --transcript says where.',
    replacements: NOTHING,
  },
  ephemeral: { advice: 'A run always has a transcript; --transcript says where.', replacements: NOTHING },
  checkpointing: { advice: 'Every run can be continued: --resume.', replacements: NOTHING },
  'exclude-dynamic-system-prompt-sections': { advice: 'The system prompt has none.', replacements: NOTHING },
  'disable-slash-commands': {
    advice: 'A slash command runs only where the prompt starts with it.',
    replacements: NOTHING,
  },
  'raw-output': {
    advice: 'stdout is safe to show in a log.',
    alias: ['accept-raw-output-risk'],
    replacements: NOTHING,
  },
  'screen-reader': { advice: NO_TERMINAL, alias: ['no-alt-screen', 'show-memory-usage'], replacements: NOTHING },
  ide: { advice: NO_TERMINAL, alias: ['chrome', 'no-chrome'], replacements: NOTHING },
  betas: { advice: 'The client sends the headers that the model needs.', value: 'NAMES', replacements: { '*': [] } },
  name: { advice: 'A run has an id, which is in the result.', alias: ['n'], value: 'NAME', replacements: { '*': [] } },
  'dangerously-skip-permissions': { advice: NO_SKIPPING },
  'allow-dangerously-skip-permissions': { advice: NO_SKIPPING },
  'dangerously-bypass-approvals-and-sandbox': { advice: NO_SKIPPING },
  yolo: { advice: NO_SKIPPING, alias: ['y'] },
  'full-auto': { advice: 'There is no such mode: use --permission-mode acceptEdits and rules in the policy.' },
  sandbox: {
    advice: 'Write `sandbox: { mode: required }` and rules in the policy; without a policy a run only reads.',
    alias: ['s'],
  },
  'sandbox-image': { advice: 'Start kode-run in the container that you want.' },
  'api-key': { advice: 'Every process can read a key on the command line: use --api-key-file or ANTHROPIC_API_KEY.' },
  'setting-sources': {
    advice: 'No `.claude/settings*.json` is read by itself: name one with --settings.',
    value: 'SOURCES',
    replacements: { '*': [] },
  },
  'prompt-interactive': { advice: 'Runs are not interactive: use -p.' },
  i: { advice: 'Name the image in the prompt, for the Read tool. A prompt goes with -p.' },
  image: { advice: 'Name the image in the prompt: the Read tool shows images.' },
  file: { advice: 'Name the file in the prompt: the Read tool reads it.' },
  'max-budget': { advice: 'Use --max-budget-usd.' },
  'allow-tools': { advice: 'Use --allowedTools.' },
  'allowed-mcp-server-names': { advice: 'Name the servers in the policy (`mcpServers:`), or with --mcp-config.' },
  'include-directories': { advice: 'Use --add-dir, once for each folder.' },
  'all-files': { advice: 'Name the files in the prompt: the agent reads what it needs.' },
  config: { advice: 'Settings are flags here, or keys under `run:` of the policy.' },
  profile: { advice: 'Use --policy FILE, one for each kind of job.', alias: ['admin-policy'] },
  enable: { advice: 'There are no such features: see kode-run --help.', alias: ['disable'] },
  oss: { advice: OWN_MODELS, alias: ['local-provider'] },
  proxy: { advice: 'Set HTTPS_PROXY in the environment.' },
  search: { advice: 'Allow WebSearch in the policy.' },
  last: { advice: 'Use --resume last.' },
  'list-sessions': { advice: 'Transcripts are in the state folder; --resume takes a path, a run id or last.' },
  'delete-session': { advice: 'Delete the transcript: it is one file.' },
  extensions: { advice: NO_PLUGINS, alias: ['e', 'l', 'list-extensions'] },
  teleport: { advice: NO_SESSIONS, alias: ['remote', 'remote-control', 'tmux', 'teammate-mode', 'from-pr'] },
  acp: { advice: 'Editors cannot control it: use the library.', alias: ['experimental-acp'] },
  init: { advice: 'Use kode-run init.', alias: ['init-only', 'maintenance'] },
  'permission-prompts': {
    advice: 'Only a PermissionRequest hook answers.',
    value: 'TARGET',
    replacements: { none: [], host: [] },
  },
  'forward-subagent-text': { advice: 'stream-json always has the texts of sub-agents.', replacements: NOTHING },
  'strict-config': { advice: 'An unknown key of a policy always ends the run.', replacements: NOTHING },
  'ax-screen-reader': { advice: NO_TERMINAL, replacements: NOTHING },
  'prompt-suggestions': { advice: NO_TERMINAL, optional: /^(?:true|false)$/, replacements: { '': [], '*': [] } },
  brief: { advice: NO_TERMINAL, replacements: NOTHING },
  'thread-source': {
    advice: 'The environment of the job says what started it.',
    value: 'SOURCE',
    replacements: { '*': [] },
  },
  'system-prompt-snapshot': {
    advice: 'The system prompt stays the same for a whole run.',
    value: 'on|off',
    replacements: { on: [] },
  },
  restricted: { advice: 'Without a policy a run only reads: leave out --policy.' },
  'safe-mode': { advice: 'Only what the policy names is loaded: leave it out there.' },
  autocompact: {
    advice: 'Write `run: { contextWindow: N }` in the policy: compaction follows from it.',
    value: 'SIZE',
  },
  background: { advice: 'Start it with your CI or with cron: a run has nothing to attach to.', alias: ['bg'] },
  cloud: {
    advice: NO_SESSIONS,
    alias: ['desktop', 'environment', 'remote-control-session-name-prefix', 'remote-auth-token-env'],
  },
  'session-file': { advice: 'Use --resume with the path of a transcript.' },
  all: { advice: 'Transcripts are in the state folder; --resume takes a path, a run id or last.' },
  'plugin-url': { advice: NO_PLUGINS },
  'approve-for-me': { advice: 'No model approves calls: allow what the task needs in the policy.' },
  'dangerously-bypass-hook-trust': { advice: 'A hook is trusted because the policy names it.' },
  trust: { advice: 'Folders are not trusted or distrusted: the policy says what is allowed.' },
  'cyber-access-program': { advice: OWN_MODELS },
}

/** The flag with this name or alias. */
export function findForeignFlag(name: string): ForeignFlag | undefined {
  if (Object.hasOwn(FOREIGN_FLAGS, name)) return FOREIGN_FLAGS[name]
  return Object.values(FOREIGN_FLAGS).find(({ alias }) => alias?.includes(name))
}
