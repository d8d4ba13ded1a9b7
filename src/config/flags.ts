/** How a flag's value is read. `switch` takes none; `list` may be repeated and split by commas outside parentheses. */
export type FlagKind = 'switch' | 'text' | 'file' | 'count' | 'money' | 'duration' | 'list' | 'repeat' | 'choice'

/** One flag of a run: the source of the parser, of `--help` and of README's table. */
export type Flag = {
  readonly kind: FlagKind
  /** What stands for the value in help. */
  readonly value?: string
  readonly describe: string
  readonly alias?: readonly string[]
  /** Environment variables that stand in for it; the first that is set counts. `KODE_RUN_…` always works. */
  readonly environment?: readonly string[]
  readonly choices?: readonly string[]
  /** For README and help: what holds when nothing is said. */
  readonly fallback?: string
  /** The key below `run:` of a policy that says the same. */
  readonly policyKey?: string
}

/** Every flag of `kode-run [run] [prompt]`, in the order of README. */
export const RUN_FLAGS = {
  policy: { kind: 'file', value: 'FILE', describe: 'the policy; without one: `presets: [read-only]`' },
  print: { kind: 'switch', alias: ['p'], describe: 'accepted for habit; this is always print mode' },
  'prompt-file': { kind: 'file', value: 'FILE', describe: 'read the prompt from a file' },
  param: {
    kind: 'repeat',
    value: 'K=V',
    alias: ['params'],
    describe: 'fills `${{ params.K }}` in the prompt; repeatable',
  },
  model: {
    kind: 'text',
    value: 'ID',
    describe: 'the model',
    environment: ['ANTHROPIC_MODEL'],
    fallback: 'claude-sonnet-5-5',
    policyKey: 'model',
  },
  'fallback-model': {
    kind: 'list',
    value: 'A,B',
    describe: 'models to go on with after repeated overload',
    policyKey: 'fallbackModel',
  },
  'max-turns': { kind: 'count', value: 'N', describe: 'model answers at most', fallback: '50', policyKey: 'maxTurns' },
  'max-budget-usd': { kind: 'money', value: 'USD', describe: 'cost at most', fallback: '5', policyKey: 'maxBudgetUsd' },
  'max-tokens-total': {
    kind: 'count',
    value: 'N',
    describe: 'tokens at most, in and out',
    fallback: 'none; 2,000,000 for unpriced models',
    policyKey: 'maxTokensTotal',
  },
  'max-tool-calls': {
    kind: 'count',
    value: 'N',
    describe: 'tool calls at most',
    fallback: '500',
    policyKey: 'maxToolCalls',
  },
  'max-denials': {
    kind: 'count',
    value: 'N',
    describe: 'denied calls that end the run',
    fallback: '20',
    policyKey: 'maxDenials',
  },
  timeout: { kind: 'duration', value: '20m', describe: 'end of the whole run', fallback: '30m', policyKey: 'timeout' },
  'max-retry-wait': {
    kind: 'duration',
    value: '2m',
    describe: 'longest `retry-after` that is obeyed',
    fallback: '2m',
    policyKey: 'maxRetryWait',
  },
  'output-format': {
    kind: 'choice',
    value: 'FORMAT',
    choices: ['text', 'json', 'stream-json'],
    describe: 'what stdout carries',
    fallback: 'text',
    policyKey: 'outputFormat',
  },
  'output-last-message': { kind: 'file', value: 'FILE', alias: ['o'], describe: 'write the result text there' },
  'json-schema': {
    kind: 'text',
    value: 'FILE|JSON',
    alias: ['output-schema'],
    describe: 'the structured output must fit this JSON Schema',
  },
  transcript: {
    kind: 'file',
    value: 'FILE',
    describe: 'where the transcript goes',
    fallback: "the runner's or the user's state folder",
  },
  summary: {
    kind: 'file',
    value: 'FILE',
    describe: 'append the Markdown summary there',
    environment: ['GITHUB_STEP_SUMMARY'],
  },
  'mcp-config': { kind: 'repeat', value: 'FILE', describe: 'MCP servers in the shape of `.mcp.json`; repeatable' },
  'strict-mcp-config': { kind: 'switch', describe: 'only servers of `--mcp-config`' },
  allowedTools: {
    kind: 'list',
    value: 'RULES',
    alias: ['allowed-tools'],
    describe: 'allow rules besides those of the policy',
  },
  disallowedTools: {
    kind: 'list',
    value: 'RULES',
    alias: ['disallowed-tools'],
    describe: 'deny rules besides those of the policy',
  },
  tools: { kind: 'list', value: 'NAMES', describe: 'offer only these tools' },
  bare: { kind: 'switch', describe: 'offer only Bash, Read, Edit (and Finish)' },
  settings: { kind: 'file', value: 'FILE', describe: 'a Claude Code `settings.json`, used as the policy' },
  'permission-mode': {
    kind: 'choice',
    value: 'MODE',
    choices: ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto'],
    describe: 'what holds where no rule speaks',
    fallback: 'default',
  },
  'add-dir': { kind: 'repeat', value: 'DIR', describe: 'another working directory; repeatable' },
  'system-prompt': { kind: 'text', value: 'TEXT', describe: 'replaces the system prompt' },
  'system-prompt-file': { kind: 'file', value: 'FILE', describe: 'the same, from a file' },
  'append-system-prompt': { kind: 'text', value: 'TEXT', describe: 'added to the system prompt' },
  'append-system-prompt-file': { kind: 'file', value: 'FILE', describe: 'the same, from a file' },
  agents: { kind: 'text', value: 'JSON|FILE', describe: 'sub-agents besides those of the policy' },
  record: { kind: 'file', value: 'FILE', describe: 'write every request and answer to this new file, for `--replay`' },
  replay: {
    kind: 'file',
    value: 'FILE',
    describe: 'answers from a script (`.yml`) or a recording (`.jsonl`); no network',
  },
  'replay-match': {
    kind: 'choice',
    value: 'HOW',
    choices: ['strict', 'loose'],
    describe: 'how exactly requests must fit a recording',
    fallback: 'strict',
  },
  resume: { kind: 'file', value: 'TRANSCRIPT', describe: 'go on with a run that was ended' },
  'apply-patch': { kind: 'switch', describe: 'with `--resume`: apply the recorded patch to the work tree first' },
  repair: { kind: 'switch', describe: 'with `--resume`: go on in spite of a damaged transcript' },
  'accept-policy-change': { kind: 'switch', describe: 'with `--resume`: go on although the policy is another' },
  'fail-on-denied': { kind: 'switch', describe: 'exit 3 if any call was denied', policyKey: 'failOnDenied' },
  audit: { kind: 'switch', describe: 'run calls that only lack an allow rule, in the sandbox, and record them' },
  'dry-run': { kind: 'switch', describe: 'probe policy, hooks, servers, sandbox and key; no request' },
  lock: { kind: 'text', value: 'NAME', describe: 'one run at a time under this name; exit 75 if it is held' },
  'lock-stale': {
    kind: 'duration',
    value: '6h',
    describe: 'age at which a lock of another host counts as dead',
    fallback: 'never',
  },
  cwd: { kind: 'file', value: 'DIR', describe: 'the project root', fallback: 'the current directory' },
  'policy-ref': { kind: 'text', value: 'REF', describe: 'read the policy and what it names from this git ref' },
  'trust-head-config': { kind: 'switch', describe: 'on pull requests: use the project files of the head' },
  quiet: { kind: 'switch', describe: 'no progress on stderr' },
  verbose: { kind: 'switch', describe: 'more progress, stacks of defects' },
  'api-key-file': { kind: 'file', value: 'FILE', describe: 'read the API key from a file' },
  'api-key-fd': { kind: 'count', value: 'N', describe: 'read the API key from an open descriptor' },
  'allow-insecure-base-url': { kind: 'switch', describe: 'allow `http://` to a host that is not loopback' },
} as const satisfies Record<string, Flag>

export type RunFlagName = keyof typeof RUN_FLAGS

/** Flags that users know from other tools, and what to say instead. */
export const FOREIGN_FLAGS: Readonly<Record<string, string>> = {
  'dangerously-skip-permissions': 'There is no flag that skips permissions: allow what the task needs in the policy.',
  'allow-dangerously-skip-permissions':
    'There is no flag that skips permissions: allow what the task needs in the policy.',
  yolo: 'There is no flag that skips permissions: allow what the task needs in the policy.',
  'full-auto': 'There is no such mode: use --permission-mode acceptEdits and rules in the policy.',
  'api-key':
    'A key on the command line can be read by every process: use --api-key-fd, --api-key-file or ANTHROPIC_API_KEY.',
  'input-format': 'The prompt is plain text: argument, --prompt-file or stdin.',
  continue: 'Use --resume TRANSCRIPT.',
  'fork-session': 'Use --resume TRANSCRIPT; the old transcript is never changed.',
  'session-id': 'The id of a run is made by kode-run; find it in the result.',
  'setting-sources': 'Only what --policy or --settings names is read.',
  'permission-prompt-tool': 'Nobody is asked: use a PermissionRequest hook.',
  'max-budget': 'Use --max-budget-usd.',
  'allow-tools': 'Use --allowedTools.',
  'mcp-debug': 'Use --verbose.',
}
