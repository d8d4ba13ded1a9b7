import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HOOK_EVENTS, type HookEventName, type HookSettings } from '../../src/contracts/settings.ts'
import { HOOK_AGENT } from '../../src/hooks/HookReply.ts'
import type { HookOptions, Hooks, HookVerdict } from '../../src/hooks/Hooks.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
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

const shell = (command: string): HookSettings => ({ type: 'command', command })

/** A hook of this event whose process is not started: what it would read, and what becomes of this end. */
async function pretend(event: HookEventName, exitCode = 0, more: Partial<HookSettings> = {}) {
  const read: unknown[] = []
  const stream = { text: '', bytes: 0, isTruncated: false }
  const run: HookOptions['runOutside'] = async ({ input = '', onOutput }) => {
    read.push(JSON.parse(input))
    onOutput?.('{"decision":"approve"}', 'stdout')
    if (exitCode > 0) onOutput?.('not like this', 'stderr')
    const ended = { exitCode, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1, durationMs: 1 }
    return { ...ended, stdout: stream, stderr: stream }
  }
  const hook = { ...shell('/usr/bin/guard'), ...more } as HookSettings
  const kit = createTestHooks({ [event]: [{ hooks: [hook] }] }, { runOutside: run, runInside: run })
  return { ...kit, read, verdict: await OCCUR[event](kit.hooks, kit.signal) }
}

const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' }
const owner = { agent_id: 'agent-1', agent_type: 'reviewer' }
const stopped = { stop_hook_active: false, last_assistant_message: 'done' }
const FIELDS: Record<HookEventName, object> = {
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
const DENYING = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop', 'SubagentStop']

describe.each(HOOK_EVENTS)('a hook of %s', (event) => {
  test('reads what happens on its stdin', async () => {
    const { read, cwd } = await pretend(event)
    const session = { session_id: 'session-1', transcript_path: '/transcripts/session-1.jsonl', cwd }
    expect(read).toEqual([{ ...session, permission_mode: 'default', hook_event_name: event, ...FIELDS[event] }])
  })

  test('that fails denies where it decides, unless onError is continue; elsewhere it is a warning', async () => {
    const denial = { decision: 'deny', isFailure: true }
    const warning = { decision: 'none', isFailure: false }
    const message = `${event} hook /usr/bin/guard: exit code 1: not like this`
    const warned = [
      { subtype: 'hook', outcome: 'failed' },
      { code: 'hook_failed', message },
    ]
    const failed = await pretend(event, 1)
    expect(failed.verdict).toMatchObject(DENYING.includes(event) ? denial : warning)
    expect(failed.events).toMatchObject(DENYING.includes(event) ? warned.slice(0, 1) : warned)
    const forgiven = await pretend(event, 1, { onError: 'continue' })
    expect([forgiven.verdict, forgiven.events]).toMatchObject([warning, warned])
  })

  test('that exits with 2 denies with stderr as the reason, whatever stdout says', async () => {
    const { verdict, events } = await pretend(event, 2)
    const denial = { decision: 'deny', isFailure: false, reason: 'not like this', hook: '/usr/bin/guard' }
    expect(verdict).toMatchObject(denial)
    expect(events).toMatchObject([{ outcome: 'blocked' }])
  })
})

test('a call of a sub-agent names the agent', async () => {
  const { hooks, cwd, signal, events } = createTestHooks({ PreToolUse: [{ hooks: [stubHook('record', 'seen')] }] })
  await hooks.preToolUse({ ...bash, agent, parentToolUseId: 'toolu_0' }, signal)
  expect(JSON.parse(readFileSync(join(cwd, 'seen'), 'utf8'))).toMatchObject(owner)
  expect(events).toMatchObject([{ parent_tool_use_id: 'toolu_0', tool_use_id: 'toolu_1' }])
})

test('CLAUDE_PROJECT_DIR is the project; the hook starts there', async () => {
  const { cwd } = await occur('PreToolUse', shell('echo "$CLAUDE_PROJECT_DIR $PWD" > where'))
  expect(readFileSync(join(cwd, 'where'), 'utf8')).toBe(`${cwd} ${cwd}\n`)
})

test.each<[string, HookSettings, RegExp]>([
  ['a missing script', shell('./no/such/hook.sh'), /exit code 127/],
  ['a missing program without a shell', { type: 'command', command: '/no/such/hook', args: [] }, /did not start/],
  ['a script that is not executable', shell('touch hook.sh; ./hook.sh'), /exit code 126/],
  ['a bad first line', shell('echo "#!/no/such" > hook; chmod +x hook; ./hook'), /exit code 12[67]/],
  ['a kill', shell('kill -KILL $$'), /killed by SIGKILL/],
  ['broken JSON', shell(`echo '{"decision": "approve"'`), /not JSON/],
  ['more than 1 MiB', shell('head -c 1200000 /dev/zero'), /more than 1 MiB/],
])('a hook that fails denies: %s', async (_, hook, detail) => {
  const { verdict, outcomes } = await occur('PreToolUse', hook)
  expect(verdict).toMatchObject({ decision: 'deny', isFailure: true, reason: expect.stringMatching(detail) })
  expect(outcomes).toEqual(['failed'])
})

test('what a hook sets for commands is kept, but not that of a compaction', async () => {
  const kept: unknown[] = []
  const sets = shell('echo "export KODE_TEST=a=b" >> "$CLAUDE_ENV_FILE"')
  const { hooks, signal } = createTestHooks(
    { SessionStart: [{ hooks: [shell('true'), sets] }] },
    { keepVariables: async (files) => void kept.push(...files) },
  )
  await hooks.sessionStart('compact', signal)
  await hooks.sessionStart('startup', signal)
  const hook = 'echo "export KODE_TEST=a=b" >> "$CLAUDE_ENV_FILE"'
  expect(kept).toMatchObject([{ hook, after: { KODE_TEST: 'a=b' } }])
  const without = createTestHooks({ SessionStart: [{ hooks: [sets] }] })
  expect(await without.hooks.sessionStart('startup', without.signal)).toMatchObject({ isFailure: false })
})

test('an agent that judges is not judged by others like it', async () => {
  const judge: HookSettings = { type: 'agent', prompt: 'Is it good?' }
  const { hooks, signal, events } = createTestHooks({
    PreToolUse: [{ hooks: [judge, shell('true')] }],
    SubagentStop: [{ hooks: [judge] }],
  })
  expect(await hooks.subagentStop({ id: 'a', type: HOOK_AGENT }, state, signal)).toMatchObject({ decision: 'none' })
  await hooks.preToolUse({ ...bash, agent: { id: 'a', type: HOOK_AGENT } }, signal)
  expect(events).toMatchObject([{ hook: 'true', outcome: 'ok' }])
  expect(await hooks.preToolUse({ ...bash, agent }, signal)).toMatchObject({ decision: 'deny', isFailure: true })
})

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
  const meet = (mine: string, other: string) =>
    ({ ...shell(`touch ${mine}; until [ -e ${other} ]; do sleep 0.02; done`), timeout: 20 }) as HookSettings
  const { verdict, outcomes } = await occur('PreToolUse', meet('a', 'b'), meet('b', 'a'))
  expect(verdict.decision).toBe('none')
  expect(outcomes).toEqual(['ok', 'ok'])
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

test.each<[HookEventName, string]>([
  ['PreToolUse', 'Write'],
  ['SessionStart', 'resume'],
  ['SessionEnd', 'error'],
  ['SubagentStart', 'planner'],
  ['SubagentStop', 'planner'],
  ['PreCompact', 'manual'],
  ['PostCompact', 'manual'],
  ['Notification', 'permission_prompt'],
])('%s matches on its own value, which %s is not', async (event, matcher) => {
  const { hooks, signal, events } = createTestHooks({ [event]: [{ matcher, hooks: [stubHook('complain')] }] })
  await OCCUR[event](hooks, signal)
  expect(events).toEqual([])
})
