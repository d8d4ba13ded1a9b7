import { createHash } from 'node:crypto'
import type { DecisionReason } from '../../../src/contracts/decision.ts'
import type {
  InitEvent,
  PermissionDeniedEvent,
  ResultEvent,
  RunEvent,
  ToolOutcome,
  TranscriptRecord,
} from '../../../src/contracts/events.ts'
import type { AssistantContent, Usage } from '../../../src/contracts/messages.ts'
import { buildResult, type Ending } from '../../../src/report/fold/result.ts'
import { createTotals } from '../../../src/report/fold/totals.ts'

const MODEL = 'claude-sonnet-5-5'

/** The first event of a run in a small checkout. */
export const INIT: InitEvent = {
  ...{ type: 'system', subtype: 'init', cwd: '/srv/repo', tools: ['Bash', 'Edit', 'Finish', 'Grep', 'Read'] },
  ...{ mcp_servers: [{ name: 'github', status: 'connected' }], model: MODEL, permissionMode: 'default' },
  ...{ shouldAvoidPermissionPrompts: true, apiKeySource: 'ANTHROPIC_API_KEY', api_host: 'api.anthropic.com' },
  ...{ agents: ['reviewer'], skills: [], slash_commands: [], version: '0.1.0', node: 'v20.19.0' },
  ...{ platform: 'linux-x64', prompt: 'Make the failing test pass.' },
  policy: { files: ['.kode/policy.yml'], sha256: 'a'.repeat(64) },
  sandbox: { mode: 'auto', state: 'enforced', detail: 'bubblewrap 0.8' },
  network: { mode: 'none', state: 'enforced' },
  limits: { max_turns: 50, max_tool_calls: 500, max_budget_usd: 5, timeout_ms: 1_800_000 },
  base: { commit: 'f'.repeat(40) },
}

/** Makes the events of a run one after another; ids count up, so two builders give the same events. */
export type EventBuilder = {
  readonly events: RunEvent[]
  say(content: readonly AssistantContent[], owner?: string | null): void
  /** A message with this one call, its decision, its intent, its result. */
  call(call: SampleCall): string
  push(event: RunEvent): void
}

type SampleCall = {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly text?: string
  readonly result?: string
  readonly outcome?: ToolOutcome['outcome']
  readonly rendering?: string
  readonly isReadOnly?: boolean
  /** The file that the call is about. */
  readonly path?: string
  readonly rule?: string
  readonly ms?: number
  readonly owner?: string | null
}

const USAGE: Usage = {
  input_tokens: 210,
  output_tokens: 95,
  cache_creation_input_tokens: 800,
  cache_read_input_tokens: 6_400,
}

export function buildEvents(): EventBuilder {
  const events: RunEvent[] = []
  let messages = 0
  let calls = 0
  const say = (content: readonly AssistantContent[], owner: string | null = null): void => {
    messages += 1
    const stop_reason = content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn'
    const head = { id: `msg_${messages}`, type: 'message', role: 'assistant', model: MODEL } as const
    events.push({
      type: 'assistant',
      parent_tool_use_id: owner,
      message: { ...head, content, stop_reason, usage: USAGE },
    })
  }
  const call = (sample: SampleCall): string => {
    const { tool, input, text, outcome = 'ok', isReadOnly = false, rule = tool, ms = 12, owner = null } = sample
    calls += 1
    const id = `toolu_${calls}`
    const use: AssistantContent = { type: 'tool_use', id, name: tool, input }
    say(text === undefined ? [use] : [{ type: 'text', text }, use], owner)
    const owned = { type: 'system', parent_tool_use_id: owner, tool_use_id: id, tool_name: tool } as const
    const reason: DecisionReason = {
      type: 'rule',
      rule: { text: rule, list: 'allow', file: '.kode/policy.yml', line: 4 },
    }
    if (outcome !== 'denied') {
      const verdict = { decision: 'allow', behavior: 'allow', reason, policy_sha256: 'a'.repeat(64) } as const
      events.push({ ...owned, subtype: 'permission_decision', ...verdict })
      const activity = `${tool} ${String(Object.values(input)[0] ?? '')}`
      const path = sample.path === undefined ? {} : { path: sample.path }
      events.push({ ...owned, subtype: 'tool_intent', tool_input: input, is_read_only: isReadOnly, activity, ...path })
    } else events.push(...denialOf(id, sample))
    const result = { type: 'tool_result', tool_use_id: id, content: sample.result ?? 'done' } as const
    const rendering = sample.rendering === undefined ? {} : { rendering: sample.rendering }
    events.push({
      type: 'user',
      parent_tool_use_id: owner,
      message: { role: 'user', content: [outcome === 'ok' ? result : { ...result, is_error: true }] },
      tool_use_result: [{ tool_use_id: id, tool_name: tool, outcome, duration_ms: ms, ...rendering }],
    })
    return id
  }
  return { events, say, call, push: (event) => events.push(event) }
}

function denialOf(id: string, { tool, input, rule = tool, owner = null }: SampleCall): RunEvent[] {
  const owned = { type: 'system', parent_tool_use_id: owner, tool_use_id: id, tool_name: tool } as const
  const reason: DecisionReason = { type: 'rule', rule: { text: rule, list: 'deny', file: '.kode/policy.yml', line: 9 } }
  const denial: PermissionDeniedEvent = {
    ...owned,
    ...{ subtype: 'permission_denied', tool_input: input, agent_id: null, decision_reason_type: 'rule' },
    decision_reason: `deny rule ${rule}`,
    message: `${tool}: \`${Object.values(input)[0]}\` is denied by the rule \`${rule}\` (.kode/policy.yml:9). Do not look for another way to do the same thing.`,
    ...{ rule, source: '.kode/policy.yml', line: 9, suggestion: null },
  }
  return [
    {
      ...owned,
      ...{ subtype: 'permission_decision', decision: 'deny', behavior: 'deny', reason },
      policy_sha256: 'a'.repeat(64),
    },
    denial,
  ]
}

/** The last event, with the counts of `events`. */
export function endOf(events: readonly RunEvent[], ending: Partial<Ending> = {}): ResultEvent {
  const totals = createTotals(() => 0.0123)
  for (const event of events) totals.add(event)
  return buildResult(totals.totals(), {
    exit_reason: 'completed',
    detail: 'The task is done and 1 check passed.',
    result: 'The test passes now: `add` returned the difference.',
    ...{ structured_output: null, duration_ms: 64_200, duration_api_ms: 41_000 },
    changes: [{ path: 'src/add.js', status: 'modified', added: 1, removed: 1, by: ['toolu_3'] }],
    patch:
      '--- a/src/add.js\n+++ b/src/add.js\n@@ -1 +1 @@\n-export const add = (a, b) => a - b\n+export const add = (a, b) => a + b\n',
    ...{ patch_note: null, session_id: 'session-1', transcript_path: '/tmp/kode-run/session-1.jsonl' },
    ...{ stop_reason: 'end_turn', sandbox: 'enforced', network: { mode: 'none', state: 'enforced' } },
    ...ending,
  })
}

/** A run that fixes a test: reads, a failing command, an edit, a denial, a retry, a hook, checks, the end. */
export function sampleRun(ending: Partial<Ending> = {}): RunEvent[] {
  const { events, call, push, say } = buildEvents()
  const main = { type: 'system', parent_tool_use_id: null } as const
  push(INIT)
  push({
    type: 'user',
    parent_tool_use_id: null,
    message: { role: 'user', content: [{ type: 'text', text: INIT.prompt }] },
  })
  call({
    ...{ tool: 'Read', input: { file_path: 'src/add.js' }, text: 'I read the source first.' },
    ...{ result: '1\texport const add = (a, b) => a - b', isReadOnly: true, ms: 4 },
  })
  push({
    ...main,
    ...{ subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 2_000, error_status: 529 },
    ...{ error: 'overloaded', source: 'backoff', detail: 'Overloaded' },
  })
  call({
    ...{ tool: 'Bash', input: { command: 'npm test' }, result: 'not ok 1 - adds\n# fail 1', outcome: 'error' },
    ...{ rule: 'Bash(npm test)', ms: 1_204 },
  })
  call({
    tool: 'Edit',
    input: { file_path: 'src/add.js', old_string: 'a - b', new_string: 'a + b' },
    text: 'The sign is wrong.',
    rule: 'Edit(src/**)',
    rendering: '```diff\n-export const add = (a, b) => a - b\n+export const add = (a, b) => a + b\n```',
    ms: 8,
  })
  call({
    tool: 'Bash',
    input: { command: 'git push origin main' },
    outcome: 'denied',
    rule: 'Bash(git push *)',
    result: 'Bash is not allowed',
  })
  push({
    ...main,
    ...{ subtype: 'hook', event: 'PreToolUse', hook: './ci/approve.sh', outcome: 'asked', detail: 'no opinion' },
    duration_ms: 31,
  })
  call({
    tool: 'Bash',
    input: { command: 'npm test' },
    result: 'ok 1 - adds\n# pass 1',
    rule: 'Bash(npm test)',
    ms: 1_180,
  })
  push({
    ...main,
    ...{ subtype: 'finding', path: 'src/add.js', line: 1, severity: 'warning', title: 'Wrong sign' },
    message: '`add` subtracted its arguments.',
  })
  push({
    ...{ type: 'system', subtype: 'check', command: 'npm test', attempt: 1, ok: false, exit_code: 1 },
    ...{ duration_ms: 1_300, output: 'not ok 2 - lint\n' },
  })
  say([{ type: 'text', text: 'One check failed; I fix the lint error.' }])
  push({
    ...{ type: 'system', subtype: 'check', command: 'npm test', attempt: 2, ok: true, exit_code: 0 },
    ...{ duration_ms: 1_250, output: 'ok\n' },
  })
  push({ type: 'system', subtype: 'warning', code: 'unpriced', message: 'The price table is 40 days old.' })
  push({
    ...{ type: 'system', subtype: 'integrity', unaccounted_files: [], command_files_touched: [], processes_left: 0 },
    ...{ sandbox: 'enforced', network: { mode: 'none', state: 'enforced' } },
  })
  push(endOf(events, ending))
  return events
}

/** A run with about `count` events; every tenth call is denied, every seventh fails. */
export function longRun(count: number): RunEvent[] {
  const { events, call, push } = buildEvents()
  push(INIT)
  const tools = ['Read', 'Grep', 'Bash', 'Edit', 'mcp__github__get_issue']
  for (let turn = 0; events.length < count - 1; turn++) {
    const tool = tools[turn % tools.length] ?? 'Read'
    const outcome = turn % 10 === 9 ? 'denied' : turn % 7 === 6 ? 'error' : 'ok'
    const input =
      tool === 'Bash' ? { command: `npm test -- --shard=${turn}` } : { file_path: `src/module-${turn}/index.ts` }
    call({
      ...{ tool, input, outcome },
      text: `Step ${turn}: looking at module ${turn}.`,
      result: `line of output ${turn}\n`.repeat(6),
      isReadOnly: tool === 'Read',
      ms: 5 + ((turn * 37) % 900),
    })
  }
  push(endOf(events))
  return events
}

/** The events as a transcript has them, with times that count up. */
export function stamp(events: readonly RunEvent[], run = 'run-1'): TranscriptRecord[] {
  let prev = '0'.repeat(64)
  return events.map((event, index) => {
    const ts = new Date(Date.UTC(2026, 0, 5, 3, 0, 0) + index * 250).toISOString()
    const record: TranscriptRecord = {
      ...{ v: 1, run, session_id: 'session-1' },
      seq: index + 1,
      ts,
      mono_ms: index * 250,
      ...event,
      prev,
    }
    prev = createHash('sha256').update(JSON.stringify(record)).digest('hex')
    return record
  })
}
