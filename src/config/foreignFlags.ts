import { RunError } from '../contracts/errors.ts'

/** A flag that users know from another agent, and how kode-run treats it. */
export type ForeignFlag = {
  /** Why it is not needed, or what to write instead. */
  readonly advice: string
  /** True if the next word is its value. */
  readonly takesValue?: true
  /** A next word that is its value, where it may have none. */
  readonly optional?: RegExp
  /** By value (`''` for none, `*` for any): the words here. None: `advice` is a warning. Other values are refused. */
  readonly replacements?: Readonly<Record<string, readonly string[]>>
  /** The flag is only foreign if the next word does not match this. */
  readonly notBefore?: RegExp
}

/** Flags that have an equivalent, or depend on their value. */
const TRANSLATED: Readonly<Record<string, ForeignFlag>> = {
  'json experimental-json': {
    advice: 'Use --output-format.',
    replacements: { '': ['--output-format', 'stream-json'] },
  },
  continue: { advice: 'Use --resume last.', replacements: { '': ['--resume', 'last'] } },
  c: {
    advice: 'Settings are flags here, or keys under `run:` of the policy.',
    replacements: { '': ['--resume', 'last'] },
    notBefore: /=/,
  },
  'debug d mcp-debug': { advice: 'Use --verbose.', replacements: { '': ['--verbose'] } },
  'approval-mode': {
    advice: 'No mode skips permissions.',
    takesValue: true,
    replacements: {
      default: ['--permission-mode', 'default'],
      auto_edit: ['--permission-mode', 'acceptEdits'],
      plan: ['--permission-mode', 'plan'],
    },
  },
  'ask-for-approval a': {
    advice: 'Nobody is asked: what no rule allows is denied.',
    takesValue: true,
    replacements: { never: [] },
  },
  'permission-prompts': {
    advice: 'Only a PermissionRequest hook answers.',
    takesValue: true,
    replacements: { none: [], host: [] },
  },
  'prompt-suggestions': {
    advice: 'There is no interactive screen.',
    optional: /^(?:true|false)$/,
    replacements: { '': [], '*': [] },
  },
  'system-prompt-snapshot': {
    advice: 'The system prompt stays the same for a whole run.',
    takesValue: true,
    replacements: { on: [] },
  },
}

/** Why flags are not needed, and their names. */
const IGNORED = {
  'stream-json always has the events of hooks.': 'include-hook-events',
  'stream-json always has all messages.': 'replay-user-messages',
  'No repository is needed.': 'skip-git-repo-check',
  'Folders are not trusted or distrusted: the policy says what is allowed.': 'skip-trust',
  'Only what --policy or --settings names is read.': 'ignore-user-config ignore-rules',
  'A run always has a transcript; --transcript says where.': 'no-session-persistence ephemeral',
  'Every run can be continued: --resume.': 'checkpointing',
  'The system prompt has none.': 'exclude-dynamic-system-prompt-sections',
  'A slash command runs only where the prompt starts with it.': 'disable-slash-commands',
  'stdout is safe to show in a log.': 'raw-output accept-raw-output-risk',
  'There is no interactive screen.':
    'screen-reader no-alt-screen show-memory-usage ide chrome no-chrome ax-screen-reader brief',
  'stream-json always has the texts of sub-agents.': 'forward-subagent-text',
  'An unknown key of a policy always ends the run.': 'strict-config',
}

/** The same of flags that have a value. */
const IGNORED_WITH_VALUE = {
  'The client sends the headers that the model needs.': 'betas',
  'A run has an id, which is in the result.': 'name n',
  'No `.claude/settings*.json` is read by itself: name one with --settings.': 'setting-sources',
  'The environment of the job says what started it.': 'thread-source',
}

/** What to do instead of flags, and their names. */
const REFUSED = {
  'No flag skips permissions: allow what the task needs in the policy.':
    'dangerously-skip-permissions allow-dangerously-skip-permissions dangerously-bypass-approvals-and-sandbox yolo y',
  'There is no such mode: use --permission-mode acceptEdits and rules in the policy.': 'full-auto',
  'Write `sandbox: { mode: required }` and rules in the policy; without a policy a run only reads.': 'sandbox s',
  'Start kode-run in the container that you want.': 'sandbox-image',
  'Every process can read a key on the command line: use --api-key-file or ANTHROPIC_API_KEY.': 'api-key',
  'Runs are not interactive: use -p.': 'prompt-interactive',
  'Name the image in the prompt, for the Read tool. A prompt goes with -p.': 'i',
  'Name the image in the prompt: the Read tool shows images.': 'image',
  'Name the file in the prompt: the Read tool reads it.': 'file',
  'Use --max-budget-usd.': 'max-budget',
  'Use --allowedTools.': 'allow-tools',
  'Name the servers in the policy (`mcpServers:`), or with --mcp-config.': 'allowed-mcp-server-names',
  'Use --add-dir, once for each folder.': 'include-directories',
  'Name the files in the prompt: the agent reads what it needs.': 'all-files',
  'Settings are flags here, or keys under `run:` of the policy.': 'config',
  'Use --policy FILE, one for each kind of job.': 'profile admin-policy',
  'There are no such features: see kode-run --help.': 'enable disable',
  'Requests go to the Messages API: use --model, and ANTHROPIC_BASE_URL for a gateway.':
    'oss local-provider cyber-access-program',
  'Set HTTPS_PROXY in the environment.': 'proxy',
  'Allow WebSearch in the policy.': 'search',
  'Use --resume last.': 'last',
  'Transcripts are in the state folder; --resume takes a path, a run id or last.': 'list-sessions all',
  'Delete the transcript: it is one file.': 'delete-session',
  'Nothing is downloaded: name the folder of a plugin with --plugin-dir.': 'extensions e l list-extensions plugin-url',
  'There are no interactive sessions: use --resume.':
    'teleport remote remote-control tmux teammate-mode from-pr cloud desktop environment remote-control-session-name-prefix remote-auth-token-env',
  'Editors cannot control it: use the library.': 'acp experimental-acp',
  'Use kode-run init.': 'init init-only maintenance',
  'Without a policy a run only reads: leave out --policy.': 'restricted',
  'Only what the policy names is loaded: leave it out there.': 'safe-mode',
  'Start it with your CI or with cron: a run has nothing to attach to.': 'background bg',
  'Use --resume with the path of a transcript.': 'session-file',
  'No model approves calls: allow what the task needs in the policy.': 'approve-for-me',
  'A hook is trusted because the policy names it.': 'dangerously-bypass-hook-trust',
  'Folders are not trusted or distrusted: the policy says what is allowed.': 'trust',
  'Write `run: { contextWindow: N }` in the policy: compaction follows from it.': 'autocompact',
}

/**
 * The flags of Claude Code, Codex and Gemini CLI that kode-run does not have. They are translated, ignored with a
 * warning, or refused.
 */
export const FOREIGN_FLAGS: Readonly<Record<string, ForeignFlag>> = Object.fromEntries([
  ...Object.entries(TRANSLATED).flatMap(([names, flag]) => named(names, flag)),
  ...Object.entries(IGNORED).flatMap(([advice, names]) => named(names, { advice, replacements: { '': [] } })),
  ...Object.entries(IGNORED_WITH_VALUE).flatMap(([advice, names]) =>
    named(names, { advice, takesValue: true, replacements: { '*': [] } }),
  ),
  ...Object.entries(REFUSED).flatMap(([advice, names]) => named(names, { advice })),
])

function named(names: string, flag: ForeignFlag): readonly (readonly [string, ForeignFlag])[] {
  return names.split(' ').map((name) => [name, flag])
}

export function findForeignFlag(name: string): ForeignFlag | undefined {
  return Object.hasOwn(FOREIGN_FLAGS, name) ? FOREIGN_FLAGS[name] : undefined
}

/**
 * Replaces flags of other agents with kode-run's own, and removes those that are not needed, with warnings. A refused
 * flag throws `usage` with the alternative. Flags for which `isOwn` is true are left alone.
 */
export function translateForeign(argv: readonly string[], isOwn: (name: string) => boolean) {
  const words: string[] = []
  const warnings: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word === '--') return { words: [...words, ...argv.slice(at)], warnings }
    const [, dashes = '', name = '', assigned] = /^(--?)([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? []
    const flag = name === '' || isOwn(name) ? undefined : findForeignFlag(name)
    if (flag === undefined) {
      words.push(word)
      continue
    }
    const takesNext = assigned === undefined && (flag.takesValue || flag.optional?.test(argv[at + 1] ?? ''))
    const instead = replacement(flag, assigned ?? (flag.takesValue ? argv[at + 1] : '') ?? '')
    if (instead === undefined || (flag.notBefore?.test(argv[at + 1] ?? '') ?? false))
      throw new RunError('usage', `${dashes}${name}: ${flag.advice}`)
    if (instead.length === 0) warnings.push(`${dashes}${name} has no effect: ${flag.advice}`)
    words.push(...instead)
    if (takesNext) at++
  }
  return { words, warnings }
}

function replacement({ replacements = {} }: ForeignFlag, value: string): readonly string[] | undefined {
  return Object.hasOwn(replacements, value) ? replacements[value] : replacements['*']
}
