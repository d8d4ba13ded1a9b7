import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOOK_EVENTS, type HookEventName, type HookSettings } from '../../src/contracts/settings.ts'
import type { Hooks, HookVerdict } from '../../src/hooks/Hooks.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
import { sampled } from '../helpers/sampled.ts'
import { createTestHooks, hookedCall, stubHook } from '../helpers/tools/testHooks.ts'

const bash = hookedCall('Bash', { command: 'ls' })
const agent = { id: 'agent-1', type: 'reviewer' }
const state = { isActive: false, lastMessage: 'done' }

const OCCUR: Record<HookEventName, (hooks: Hooks, signal: AbortSignal) => Promise<HookVerdict>> = {
  PreToolUse: (hooks, signal) => hooks.preToolUse(bash, signal),
  PermissionRequest: (hooks, signal) => hooks.permissionRequest(bash, signal),
  PermissionDenied: (hooks, signal) => hooks.permissionDenied(bash, 'no rule', signal),
  PostToolUse: (hooks, signal) => hooks.postToolUse(bash, { stdout: 'a\n' }, signal),
  PostToolUseFailure: (hooks, signal) => hooks.postToolUseFailure(bash, 'exit code 1', signal),
  UserPromptSubmit: (hooks, signal) => hooks.userPromptSubmit('fix it', signal),
  SessionStart: (hooks, signal) => hooks.sessionStart('startup', signal),
  SessionEnd: (hooks, signal) => hooks.sessionEnd('completed', signal),
  Stop: (hooks, signal) => hooks.stop(state, signal),
  SubagentStart: (hooks, signal) => hooks.subagentStart(agent, signal),
  SubagentStop: (hooks, signal) => hooks.subagentStop(agent, state, signal),
  PreCompact: (hooks, signal) => hooks.preCompact('auto', signal),
  PostCompact: (hooks, signal) => hooks.postCompact('auto', 'so far', signal),
  Notification: (hooks, signal) => hooks.notification('idle', 'waiting', signal),
}

async function occur(event: HookEventName, ...hooks: HookSettings[]) {
  const kit = createTestHooks({ [event]: [{ hooks }] })
  const verdict = await OCCUR[event](kit.hooks, kit.signal)
  return { ...kit, verdict, outcomes: kit.events.flatMap((one) => ('outcome' in one ? one.outcome : [])) }
}

describe('what a hook reads on its stdin', () => {
  const common = {
    session_id: 'session-1',
    transcript_path: '/transcripts/session-1.jsonl',
    permission_mode: 'default',
  }
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' }
  const owner = { agent_id: 'agent-1', agent_type: 'reviewer' }
  const stopped = { stop_hook_active: false, last_assistant_message: 'done' }
  const fields: Record<HookEventName, object> = {
    PreToolUse: call,
    PermissionRequest: { ...call, permission_suggestions: [] },
    PermissionDenied: { ...call, reason: 'no rule' },
    PostToolUse: { ...call, tool_response: { stdout: 'a\n' } },
    PostToolUseFailure: { ...call, error: 'exit code 1', is_interrupt: false },
    UserPromptSubmit: { prompt: 'fix it' },
    SessionStart: { source: 'startup' },
    SessionEnd: { reason: 'completed' },
    Stop: stopped,
    SubagentStart: owner,
    SubagentStop: { ...owner, ...stopped },
    PreCompact: { trigger: 'auto', custom_instructions: '' },
    PostCompact: { trigger: 'auto', compact_summary: 'so far' },
    Notification: { notification_type: 'idle', message: 'waiting' },
  }

  test.each(sampled(HOOK_EVENTS, 6))('%s', async (event) => {
    const { cwd } = createTestHooks({})
    const file = join(cwd, 'seen.jsonl')
    await occur(event, stubHook('record', file))
    const { cwd: seenCwd, ...seen } = JSON.parse(readFileSync(file, 'utf8'))
    expect(seen).toEqual({ ...common, hook_event_name: event, ...fields[event] })
    expect(seenCwd).toBe(realpathSync(seenCwd))
  })

  test('a call of a sub-agent names the agent', async () => {
    const { hooks, cwd, signal, events } = createTestHooks({ PreToolUse: [{ hooks: [stubHook('record', 'seen')] }] })
    await hooks.preToolUse({ ...bash, agent, parentToolUseId: 'toolu_0' }, signal)
    expect(JSON.parse(readFileSync(join(cwd, 'seen'), 'utf8'))).toMatchObject(owner)
    expect(events).toMatchObject([{ parent_tool_use_id: 'toolu_0', tool_use_id: 'toolu_1' }])
  })

  test('CLAUDE_PROJECT_DIR is the project; the hook starts there', async () => {
    const { cwd } = await occur('PreToolUse', { type: 'command', command: 'echo "$CLAUDE_PROJECT_DIR $PWD" > where' })
    expect(readFileSync(join(cwd, 'where'), 'utf8')).toBe(`${cwd} ${cwd}\n`)
  })
})

const shell = (command: string): HookSettings => ({ type: 'command', command })

/** Every way to break, but exit 0 and 2. */
const FAULTS: readonly [string, HookSettings, RegExp][] = [
  ['a missing script', shell('./no/such/hook.sh'), /exit code 127/],
  ['a missing program without a shell', { type: 'command', command: '/no/such/hook', args: [] }, /did not start/],
  ['a script that is not executable', shell('touch hook.sh; ./hook.sh'), /exit code 126/],
  ['a bad first line', shell('echo "#!/no/such" > hook; chmod +x hook; ./hook'), /exit code 12[67]/],
  ['exit 1', shell('echo oops >&2; exit 1'), /exit code 1: oops/],
  ['exit 3', shell('exit 3'), /exit code 3/],
  ['exit 255', shell('exit 255'), /exit code 255/],
  ['a kill', shell('kill -KILL $$'), /killed by SIGKILL/],
  ['a crash', shell('kill -SEGV $$'), /killed by SIGSEGV/],
  ['broken JSON', shell(`echo '{"decision": "approve"'`), /not JSON/],
  ['an answer of another form', shell(`echo '{"decision": "yes"}'`), /not valid/],
  ['more than 1 MiB', shell('head -c 1200000 /dev/zero'), /more than 1 MiB/],
]
const DENYING = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop', 'SubagentStop'] as const

test.each(FAULTS)('a hook that fails denies: %s', async (_, hook, detail) => {
  const { verdict, outcomes } = await occur('PreToolUse', hook)
  expect(verdict).toMatchObject({ decision: 'deny', isFailure: true })
  expect(verdict.reason).toMatch(detail)
  expect(outcomes).toEqual(['failed'])
})

test.each(sampled(DENYING, 2))(
  'a failing %s hook denies, unless onError is continue; then it is a warning',
  async (event) => {
    expect((await occur(event, stubHook('exit', '1'))).verdict).toMatchObject({ decision: 'deny', isFailure: true })
    const { verdict, events } = await occur(event, stubHook('exit', '1', { onError: 'continue' }))
    expect(verdict).toMatchObject({ decision: 'none', isFailure: false })
    expect(events).toMatchObject([{ subtype: 'hook', outcome: 'failed' }, { code: 'hook_failed' }])
  },
)

test.each(
  sampled(
    HOOK_EVENTS.filter((event) => !DENYING.some((name) => name === event)),
    3,
  ),
)('a failing %s hook is a warning', async (event) => {
  const { verdict, events } = await occur(event, stubHook('exit', '1'))
  expect(verdict).toMatchObject({ decision: 'none', isFailure: false })
  expect(events).toMatchObject([{ subtype: 'hook', outcome: 'failed' }, { code: 'hook_failed' }])
})

test.each(sampled(HOOK_EVENTS, 4))(
  'exit 2 blocks %s with stderr as the reason, whatever stdout says',
  async (event) => {
    const { verdict, outcomes } = await occur(event, stubHook('complain'))
    expect(verdict).toMatchObject({ decision: 'deny', isFailure: false, reason: '::error::not like this' })
    expect(verdict.hook).toContain('stubHook.mjs complain')
    expect(outcomes).toEqual(['blocked'])
  },
)

test('a hook that hangs, ignores TERM and has children is ended with its group, and denies', {
  tags: 'long',
}, async () => {
  const { verdict, outcomes, cwd } = await occur('PreToolUse', stubHook('hang', 'child', { timeout: 1 }))
  expect(verdict).toMatchObject({ decision: 'deny', isFailure: true })
  expect(verdict.reason).toContain('no answer within 1 s')
  expect(outcomes).toEqual(['timeout'])
  const [child, term] = readFileSync(join(cwd, 'child'), 'utf8').trim().split('\n')
  expect(term).toBe('asked to end')
  expect(isAlive(Number(child))).toBe(false)
})

test('a limit below a millisecond counts as one, and one that no timer can hold as none', async () => {
  const short = await occur('PreToolUse', stubHook('hang', 'child', { timeout: 0.0001 }))
  expect(short.verdict).toMatchObject({ decision: 'deny', isFailure: true })
  expect(short.verdict.reason).toContain('no answer within 0.001 s')
  const long = await occur('PreToolUse', stubHook('print', '{"decision":"approve"}', { timeout: 1e12 }))
  expect([long.verdict.decision, long.outcomes]).toEqual(['allow', ['allowed']])
})

test('hooks run in parallel: each waits until the other has started', async () => {
  const meet = (mine: string, other: string): HookSettings => ({
    type: 'command',
    command: `touch ${mine}; until [ -e ${other} ]; do sleep 0.02; done`,
    timeout: 20,
  })
  const { verdict, outcomes } = await occur('PreToolUse', meet('a', 'b'), meet('b', 'a'))
  expect(verdict.decision).toBe('none')
  expect(outcomes).toEqual(['ok', 'ok'])
})

test('any deny wins, also over a hook that hangs', { tags: 'long' }, async () => {
  const { verdict, outcomes } = await occur(
    'PreToolUse',
    stubHook('hang', 'child', { timeout: 1, onError: 'continue' }),
    stubHook('print', '{"decision":"approve"}'),
    stubHook('complain'),
  )
  expect(verdict).toMatchObject({ decision: 'deny', reason: '::error::not like this' })
  expect([...outcomes].sort()).toEqual(['allowed', 'blocked', 'timeout'])
})

test('the answer of a hook that does not read its input counts', async () => {
  const { hooks, signal } = createTestHooks({ PreToolUse: [{ hooks: [stubHook('deaf')] }] })
  const verdict = await hooks.preToolUse(hookedCall('Write', { content: 'x'.repeat(1_000_000) }), signal)
  expect(verdict).toMatchObject({ decision: 'none', isFailure: false })
})

test('an answer larger than the command buffer is read completely', async () => {
  const { verdict } = await occur('Stop', stubHook('large'))
  expect(verdict).toMatchObject({ decision: 'deny', isFailure: false })
  expect(verdict.reason).toContain('[cut: 200000 characters in all]')
})

test('the end of the run ends hooks, and denies what they were judging', async () => {
  const { hooks, cwd } = createTestHooks({ PreToolUse: [{ hooks: [stubHook('hang', 'child')] }] })
  const ending = new AbortController()
  const verdict = hooks.preToolUse(bash, ending.signal)
  ending.abort()
  expect(await verdict).toMatchObject({ decision: 'deny', isFailure: true })
  expect(await hooks.preToolUse(bash, ending.signal)).toMatchObject({ decision: 'deny' })
  expect(cwd).toBe(realpathSync(cwd))
})

test('an edited input, a context and a stop reach the caller', async () => {
  const print = (answer: object) => stubHook('print', JSON.stringify(answer))
  const { verdict } = await occur(
    'PreToolUse',
    print({ hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { command: 'ls -a' } } }),
    print({ hookSpecificOutput: { additionalContext: 'mind the gap' } }),
  )
  expect(verdict).toMatchObject({
    decision: 'allow',
    updatedInput: { command: 'ls -a' },
    additionalContext: ['mind the gap'],
  })
  const stopped = await occur('PostToolUse', print({ continue: false, stopReason: 'enough' }))
  expect(stopped.verdict.stop).toBe('enough')
})

test('events match on their own values', async () => {
  const never = (matcher: string) => [{ matcher, hooks: [stubHook('complain')] }]
  const { hooks, signal, events } = createTestHooks({
    PreToolUse: never('Write'),
    SessionStart: never('resume'),
    SubagentStart: never('planner'),
    PreCompact: never('manual'),
    Notification: never('permission_prompt'),
    SessionEnd: never('error'),
    SubagentStop: never('planner'),
    PostCompact: never('manual'),
  })
  await hooks.preToolUse(bash, signal)
  await hooks.sessionStart('startup', signal)
  await hooks.subagentStart(agent, signal)
  await hooks.preCompact('auto', signal)
  await hooks.notification('idle', 'waiting', signal)
  await hooks.sessionEnd('completed', signal)
  await hooks.subagentStop(agent, state, signal)
  await hooks.postCompact('auto', 'so far', signal)
  expect(events).toEqual([])
})

test('a matcher that is not a valid expression is refused at once', () => {
  expect(() => createTestHooks({ PreToolUse: [{ matcher: '(Bash', hooks: [] }] })).toThrow(
    'hooks.PreToolUse: the matcher "(Bash" is not a regular expression',
  )
})

test('a message for people is a warning and does not reach the model', async () => {
  const { events, verdict } = await occur('PreToolUse', stubHook('print', '{"systemMessage":"the cache is cold"}'))
  expect(events[1]).toMatchObject({ subtype: 'warning', code: 'hook_message' })
  expect(verdict.additionalContext).toEqual([])
})
