import { EFFORTS } from '../contracts/model.ts'
import { type Flag, toggle, valued, WORKTREE_NAME } from './Flag.ts'

/** A rule or the name of a tool: `Read`, `Bash(git log *)`, `mcp__server`; several with commas. */
const RULES = /^(?:[A-Z]\w*(?:\(.*\))?|mcp__[\w*-]+)(?:,|$)/s
/** A word that is clearly a path. */
const PATH = /^(?:[.~]{1,2}\/|\/|\.{1,2}$)\S*$|^\S+\/$/
const JSON_OR_FILE = /^\s*\{|^\S+\.json$/s

/** Every flag of `kode-run [run] [prompt]`, in the order of the documents. */
export const RUN_FLAGS = {
  policy: valued('file', 'FILE', 'the policy file; without one the agent can only read'),
  print: toggle('accepted for compatibility; every run is in print mode', { alias: ['p'] }),
  prompt: valued('text', 'TEXT', 'the prompt, even if it is a single word'),
  'prompt-file': valued('file', 'FILE', 'read the prompt from a file'),
  param: valued('repeat', 'K=V', 'a value for `${{ params.K }}` in the prompt; repeatable', { alias: ['params'] }),
  model: valued('text', 'ID', 'the model: an id, or opus, sonnet, haiku', {
    alias: ['m'],
    environment: ['ANTHROPIC_MODEL'],
    fallback: 'claude-sonnet-5-5',
    policyKey: 'model',
  }),
  'fallback-model': valued('list', 'A,B', 'models to continue with when the API stays overloaded', {
    policyKey: 'fallbackModel',
  }),
  effort: valued('choice', 'LEVEL', 'effort per answer, low to max', {
    choices: EFFORTS,
    environment: ['CLAUDE_CODE_EFFORT_LEVEL'],
    fallback: "the model's own",
    policyKey: 'effort',
  }),
  thinking: valued('choice', 'MODE', 'thinking before an answer', {
    choices: ['enabled', 'adaptive', 'disabled'],
    fallback: "the model's own",
    policyKey: 'thinking',
  }),
  'max-thinking-tokens': valued('count', 'N', 'thinking budget of older models; 0: off', {
    mayBeZero: true,
    environment: ['MAX_THINKING_TOKENS'],
    fallback: "the model's own",
    policyKey: 'thinking',
  }),
  'max-turns': valued('count', 'N', 'maximum number of model answers', { fallback: '50', policyKey: 'maxTurns' }),
  'max-budget-usd': valued('money', 'USD', 'maximum cost', { fallback: '5', policyKey: 'maxBudgetUsd' }),
  'max-tokens-total': valued('count', 'N', 'maximum number of tokens', {
    fallback: 'none; 2,000,000 for unpriced models',
    policyKey: 'maxTokensTotal',
  }),
  ledger: valued('file', 'DIR', 'folder of budgets across runs', { policyKey: 'ledger' }),
  'max-tool-calls': valued('count', 'N', 'maximum number of tool calls', {
    fallback: '500',
    policyKey: 'maxToolCalls',
  }),
  'max-denials': valued('count', 'N', 'the run ends after this many denied calls', {
    fallback: '20',
    policyKey: 'maxDenials',
  }),
  timeout: valued('duration', '20m', 'time limit of the whole run', { fallback: '30m', policyKey: 'timeout' }),
  'max-retry-wait': valued('duration', '2m', 'longest `retry-after` to wait for', {
    fallback: '2m',
    policyKey: 'maxRetryWait',
  }),
  'output-format': valued('choice', 'FORMAT', 'format of the result on stdout', {
    choices: ['text', 'json', 'stream-json'],
    fallback: 'text',
    policyKey: 'outputFormat',
  }),
  'input-format': valued('choice', 'FORMAT', 'format of stdin', { choices: ['text', 'stream-json'] }),
  'include-partial-messages': toggle('with `stream-json`: also the parts of answers'),
  'output-last-message': valued('file', 'FILE', 'write the result text to this file', { alias: ['o'] }),
  'json-schema': valued('text', 'FILE|JSON', 'JSON Schema that the structured output must match', {
    alias: ['output-schema'],
  }),
  transcript: valued('file', 'FILE', 'file of the transcript', { fallback: "the runner's or the user's state folder" }),
  summary: valued('file', 'FILE', 'append the Markdown summary to this file', { environment: ['GITHUB_STEP_SUMMARY'] }),
  attest: valued('file', 'FILE', 'write an in-toto statement about the run to this file'),
  'mcp-config': valued('repeat', 'FILE|JSON', 'MCP servers in the format of `.mcp.json`; repeatable', {
    further: JSON_OR_FILE,
  }),
  'strict-mcp-config': toggle('use only the servers of `--mcp-config`'),
  'plugin-dir': valued('repeat', 'DIR', 'the folder of a plugin; repeatable', { further: PATH }),
  allowedTools: valued('list', 'RULES', 'allow rules in addition to those of the policy', {
    alias: ['allowed-tools'],
    further: RULES,
  }),
  disallowedTools: valued('list', 'RULES', 'deny rules in addition to those of the policy', {
    alias: ['disallowed-tools'],
    further: RULES,
  }),
  tools: valued('list', 'NAMES', 'only these; `default`: all', { further: RULES, mayBeEmpty: true }),
  bare: toggle('offer only Bash, Read, Edit (and Finish)'),
  settings: valued('text', 'FILE|JSON', 'a Claude Code `settings.json`, used as the policy'),
  'permission-mode': valued('choice', 'MODE', 'the mode for calls without a rule', {
    choices: ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto'],
    refusals: { bypassPermissions: 'no mode skips permissions: allow what the task needs in the policy.' },
    fallback: 'default',
  }),
  'permission-prompt-tool': valued('text', 'stdio', 'ask the Agent SDK about calls without a rule'),
  'add-dir': valued('repeat', 'DIR', 'another working directory; repeatable', { further: PATH }),
  'system-prompt': valued('text', 'TEXT', 'replaces the system prompt'),
  'system-prompt-file': valued('file', 'FILE', 'the same, from a file'),
  'append-system-prompt': valued('text', 'TEXT', 'added to the system prompt'),
  'append-system-prompt-file': valued('file', 'FILE', 'the same, from a file'),
  agent: valued('text', 'NAME', 'the agent that does the task, with its prompt, tools and model'),
  agents: valued('text', 'JSON|FILE', 'sub-agents in addition to those of the policy'),
  record: valued('file', 'FILE', 'write every request and answer to this new file, for `--replay`'),
  replay: valued('file', 'FILE', 'take answers from a script (`.yml`) or a recording (`.jsonl`); no network'),
  'replay-match': valued('choice', 'HOW', 'how closely requests must match a recording', {
    choices: ['strict', 'loose'],
    fallback: 'strict',
  }),
  once: toggle('do nothing if the transcript says it is done'),
  resume: valued('text', 'RUN', 'continue a run, with its policy: a transcript, a run id, or last', { alias: ['r'] }),
  'fork-session': toggle('with `--resume`: a session id of its own'),
  'session-id': valued('text', 'UUID', 'the session id of the run', { fallback: 'a new one' }),
  'apply-patch': toggle('with `--resume`: apply the recorded patch to the work tree first'),
  repair: toggle('with `--resume`: continue despite a damaged transcript'),
  'accept-policy-change': toggle('with `--resume`: continue although the policy has changed'),
  'fail-on-denied': toggle('exit 3 if any call was denied', { policyKey: 'failOnDenied' }),
  'fail-on-finding': toggle('exit 1 if a finding of level error was reported, or of `checks.findings`'),
  audit: toggle('run calls that only lack an allow rule in the sandbox, and record them'),
  'dry-run': toggle('check policy, hooks, servers, sandbox and key; send no request'),
  lock: valued('text', 'NAME', 'one run at a time under this name; exit 75 if another run holds it'),
  'lock-stale': valued('duration', '6h', 'age at which the lock of another host counts as stale', {
    fallback: 'never',
  }),
  cwd: valued('file', 'DIR', 'the project root', { alias: ['C', 'cd'], fallback: 'the current directory' }),
  worktree: valued('text', '[NAME]', 'work in a new git worktree; its changes are kept as a patch', {
    alias: ['w'],
    alone: 'auto',
    further: WORKTREE_NAME,
  }),
  'policy-ref': valued('text', 'REF', 'read the policy and what it names from this git ref'),
  'trust-head-config': toggle('on pull requests: use the configuration of the head'),
  color: valued('choice', 'WHEN', 'colors of the log', { choices: ['auto', 'always', 'never'], fallback: 'auto' }),
  quiet: toggle('no progress on stderr'),
  timestamps: toggle('the time (UTC) before each line of the log'),
  'debug-file': valued('file', 'FILE', 'write the log of `--verbose`, with times, to this file'),
  verbose: toggle('more progress, and texts in full'),
  'api-key-file': valued('file', 'FILE', 'read the API key from a file'),
  'api-key-fd': valued('count', 'N', 'read the API key from an open file descriptor', { mayBeZero: true }),
  'allow-insecure-base-url': toggle('allow `http://` to a host that is not loopback'),
} satisfies Record<string, Flag>

export type RunFlagName = keyof typeof RUN_FLAGS
