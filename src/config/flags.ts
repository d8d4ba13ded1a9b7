import { EFFORTS } from '../contracts/model.ts'

/** How a flag's value is read. `switch` takes none; `list` may be repeated and split by commas outside parentheses. */
export type FlagKind = 'switch' | 'text' | 'file' | 'count' | 'money' | 'duration' | 'list' | 'repeat' | 'choice'

/** One flag of a run: the source of the parser, of `--help` and of docs/command-line.md. */
export type Flag = {
  readonly kind: FlagKind
  /** The placeholder for the value in help. */
  readonly value?: string
  readonly describe: string
  readonly alias?: readonly string[]
  /** Further environment variables for it; the first that is set counts. `KODE_RUN_…` always works. */
  readonly environment?: readonly string[]
  readonly choices?: readonly string[]
  readonly mayBeEmpty?: boolean
  /** The value may be left out, and is this then. The next word is the value only if it matches `further`. */
  readonly alone?: string
  /** Values that users know from other agents, and why they are refused. */
  readonly refusals?: Readonly<Record<string, string>>
  /** Matches a further value in a list of words: `--add-dir ../a ../b`. */
  readonly further?: RegExp
  /** The default, as shown in documents and help. */
  readonly fallback?: string
  /** The same setting under `run:` of a policy. */
  readonly policyKey?: string
}

/** A rule or the name of a tool: `Read`, `Bash(git log *)`, `mcp__server`; several with commas. */
const RULES = /^(?:[A-Z]\w*(?:\(.*\))?|mcp__[\w*-]+)(?:,|$)/s
/** A name of a worktree: one folder. */
export const WORKTREE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/
/** A word that is clearly a path. */
const PATH = /^(?:[.~]{1,2}\/|\/|\.{1,2}$)\S*$|^\S+\/$/
const JSON_OR_FILE = /^\s*\{|^\S+\.json$/s

/** Every flag of `kode-run [run] [prompt]`, in the order of the documents. */
export const RUN_FLAGS = {
  policy: { kind: 'file', value: 'FILE', describe: 'the policy file; without one the agent can only read' },
  print: { kind: 'switch', alias: ['p'], describe: 'accepted for compatibility; every run is in print mode' },
  prompt: { kind: 'text', value: 'TEXT', describe: 'the prompt, even if it is a single word' },
  'prompt-file': { kind: 'file', value: 'FILE', describe: 'read the prompt from a file' },
  param: {
    kind: 'repeat',
    value: 'K=V',
    alias: ['params'],
    describe: 'a value for `${{ params.K }}` in the prompt; repeatable',
  },
  model: {
    kind: 'text',
    value: 'ID',
    alias: ['m'],
    describe: 'the model: an id, or opus, sonnet, haiku',
    environment: ['ANTHROPIC_MODEL'],
    fallback: 'claude-sonnet-5-5',
    policyKey: 'model',
  },
  'fallback-model': {
    kind: 'list',
    value: 'A,B',
    describe: 'models to continue with when the API stays overloaded',
    policyKey: 'fallbackModel',
  },
  effort: {
    kind: 'choice',
    value: 'LEVEL',
    choices: EFFORTS,
    describe: 'effort per answer, low to max',
    environment: ['CLAUDE_CODE_EFFORT_LEVEL'],
    fallback: "the model's own",
    policyKey: 'effort',
  },
  thinking: {
    kind: 'choice',
    value: 'MODE',
    choices: ['enabled', 'adaptive', 'disabled'],
    describe: 'thinking before an answer; the first two are the same',
    fallback: "the model's own",
    policyKey: 'thinking',
  },
  'max-thinking-tokens': {
    kind: 'count',
    value: 'N',
    describe: 'thinking budget of older models; 0: off',
    environment: ['MAX_THINKING_TOKENS'],
    fallback: "the model's own",
    policyKey: 'thinking',
  },
  'max-turns': {
    kind: 'count',
    value: 'N',
    describe: 'maximum number of model answers',
    fallback: '50',
    policyKey: 'maxTurns',
  },
  'max-budget-usd': { kind: 'money', value: 'USD', describe: 'maximum cost', fallback: '5', policyKey: 'maxBudgetUsd' },
  'max-tokens-total': {
    kind: 'count',
    value: 'N',
    describe: 'maximum number of tokens',
    fallback: 'none; 2,000,000 for unpriced models',
    policyKey: 'maxTokensTotal',
  },
  'max-tool-calls': {
    kind: 'count',
    value: 'N',
    describe: 'maximum number of tool calls',
    fallback: '500',
    policyKey: 'maxToolCalls',
  },
  'max-denials': {
    kind: 'count',
    value: 'N',
    describe: 'the run ends after this many denied calls',
    fallback: '20',
    policyKey: 'maxDenials',
  },
  timeout: {
    kind: 'duration',
    value: '20m',
    describe: 'time limit of the whole run',
    fallback: '30m',
    policyKey: 'timeout',
  },
  'max-retry-wait': {
    kind: 'duration',
    value: '2m',
    describe: 'longest `retry-after` to wait for',
    fallback: '2m',
    policyKey: 'maxRetryWait',
  },
  'output-format': {
    kind: 'choice',
    value: 'FORMAT',
    choices: ['text', 'json', 'stream-json'],
    describe: 'format of the result on stdout',
    fallback: 'text',
    policyKey: 'outputFormat',
  },
  'output-last-message': { kind: 'file', value: 'FILE', alias: ['o'], describe: 'write the result text to this file' },
  'json-schema': {
    kind: 'text',
    value: 'FILE|JSON',
    alias: ['output-schema'],
    describe: 'JSON Schema that the structured output must match',
  },
  transcript: {
    kind: 'file',
    value: 'FILE',
    describe: 'file of the transcript',
    fallback: "the runner's or the user's state folder",
  },
  summary: {
    kind: 'file',
    value: 'FILE',
    describe: 'append the Markdown summary to this file',
    environment: ['GITHUB_STEP_SUMMARY'],
  },
  'mcp-config': {
    kind: 'repeat',
    value: 'FILE|JSON',
    further: JSON_OR_FILE,
    describe: 'MCP servers in the format of `.mcp.json`; repeatable',
  },
  'strict-mcp-config': { kind: 'switch', describe: 'use only the servers of `--mcp-config`' },
  allowedTools: {
    kind: 'list',
    value: 'RULES',
    alias: ['allowed-tools'],
    further: RULES,
    describe: 'allow rules in addition to those of the policy',
  },
  disallowedTools: {
    kind: 'list',
    value: 'RULES',
    alias: ['disallowed-tools'],
    further: RULES,
    describe: 'deny rules in addition to those of the policy',
  },
  tools: { kind: 'list', value: 'NAMES', further: RULES, mayBeEmpty: true, describe: 'only these; `default`: all' },
  bare: { kind: 'switch', describe: 'offer only Bash, Read, Edit (and Finish)' },
  settings: { kind: 'text', value: 'FILE|JSON', describe: 'a Claude Code `settings.json`, used as the policy' },
  'permission-mode': {
    kind: 'choice',
    value: 'MODE',
    choices: ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto'],
    refusals: { bypassPermissions: 'no mode skips permissions: allow what the task needs in the policy.' },
    describe: 'the mode for calls without a rule',
    fallback: 'default',
  },
  'add-dir': { kind: 'repeat', value: 'DIR', further: PATH, describe: 'another working directory; repeatable' },
  'system-prompt': { kind: 'text', value: 'TEXT', describe: 'replaces the system prompt' },
  'system-prompt-file': { kind: 'file', value: 'FILE', describe: 'the same, from a file' },
  'append-system-prompt': { kind: 'text', value: 'TEXT', describe: 'added to the system prompt' },
  'append-system-prompt-file': { kind: 'file', value: 'FILE', describe: 'the same, from a file' },
  agent: { kind: 'text', value: 'NAME', describe: 'the agent that does the task, with its prompt, tools and model' },
  agents: { kind: 'text', value: 'JSON|FILE', describe: 'sub-agents in addition to those of the policy' },
  record: { kind: 'file', value: 'FILE', describe: 'write every request and answer to this new file, for `--replay`' },
  replay: {
    kind: 'file',
    value: 'FILE',
    describe: 'take answers from a script (`.yml`) or a recording (`.jsonl`); no network',
  },
  'replay-match': {
    kind: 'choice',
    value: 'HOW',
    choices: ['strict', 'loose'],
    describe: 'how closely requests must match a recording',
    fallback: 'strict',
  },
  resume: {
    kind: 'text',
    value: 'RUN',
    alias: ['r'],
    describe: 'continue a run, with its policy: a transcript, a run id, or last',
  },
  'apply-patch': { kind: 'switch', describe: 'with `--resume`: apply the recorded patch to the work tree first' },
  repair: { kind: 'switch', describe: 'with `--resume`: continue despite a damaged transcript' },
  'accept-policy-change': { kind: 'switch', describe: 'with `--resume`: continue although the policy has changed' },
  'fail-on-denied': { kind: 'switch', describe: 'exit 3 if any call was denied', policyKey: 'failOnDenied' },
  'fail-on-finding': {
    kind: 'switch',
    describe: 'exit 1 if a finding of level error was reported, or of `checks.findings`',
  },
  audit: { kind: 'switch', describe: 'run calls that only lack an allow rule in the sandbox, and record them' },
  'dry-run': { kind: 'switch', describe: 'check policy, hooks, servers, sandbox and key; send no request' },
  lock: { kind: 'text', value: 'NAME', describe: 'one run at a time under this name; exit 75 if another run holds it' },
  'lock-stale': {
    kind: 'duration',
    value: '6h',
    describe: 'age at which the lock of another host counts as stale',
    fallback: 'never',
  },
  cwd: {
    kind: 'file',
    value: 'DIR',
    alias: ['C', 'cd'],
    describe: 'the project root',
    fallback: 'the current directory',
  },
  worktree: {
    kind: 'text',
    value: '[NAME]',
    alias: ['w'],
    alone: 'auto',
    further: WORKTREE_NAME,
    describe: 'work in a new git worktree; its changes are kept as a patch',
  },
  'policy-ref': { kind: 'text', value: 'REF', describe: 'read the policy and what it names from this git ref' },
  'trust-head-config': { kind: 'switch', describe: 'on pull requests: use the configuration of the head' },
  color: {
    kind: 'choice',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    describe: 'colors of the log',
    fallback: 'auto',
  },
  quiet: { kind: 'switch', describe: 'no progress on stderr' },
  timestamps: { kind: 'switch', describe: 'the time (UTC) before each line of the log' },
  'debug-file': { kind: 'file', value: 'FILE', describe: 'write the log of `--verbose`, with times, to this file' },
  verbose: { kind: 'switch', describe: 'more progress, and stack traces of internal errors' },
  'api-key-file': { kind: 'file', value: 'FILE', describe: 'read the API key from a file' },
  'api-key-fd': { kind: 'count', value: 'N', describe: 'read the API key from an open file descriptor' },
  'allow-insecure-base-url': { kind: 'switch', describe: 'allow `http://` to a host that is not loopback' },
} as const satisfies Record<string, Flag>

export type RunFlagName = keyof typeof RUN_FLAGS
