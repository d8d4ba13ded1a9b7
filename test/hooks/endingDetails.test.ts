import { describe, expect, it } from 'vitest'
import type { HookEventName } from '../../src/contracts/settings.ts'
import { chooseHooks, compileMatcher } from '../../src/hooks/chooseHooks.ts'
import { combineReplies } from '../../src/hooks/combineReplies.ts'
import { nameOf } from '../../src/hooks/HookReply.ts'
import { readEnding } from '../../src/hooks/readEnding.ts'

const say = (event: HookEventName, answer: unknown) =>
  readEnding(event, { kind: 'answered', text: typeof answer === 'string' ? answer : JSON.stringify(answer) })
const specific = (hookEventName: HookEventName, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
})

describe('an answer that cannot be used', () => {
  it.each([
    ['null', 'the answer is null, not an object'],
    ['[{"decision":"block"}]', 'the answer is an array, not an object'],
    ['x\n[{"decision":"block"}]', 'the answer is an array, not an object'],
    ['x\n[1, {"decision":"block"}]', 'the answer is an array, not an object'],
    ['{"decision":"approve"}\n{"decision":"block"}', 'it printed 2 answers'],
    ['{ decision: block }', 'the answer starts with { but is not JSON'],
    ['x\n{"decision": block}', 'it printed something that looks like a decision but is not JSON'],
    ['x\n  {"decision": block}', 'it printed something that looks like a decision but is not JSON'],
    ['saw a {"decision": block} there', 'it printed something that looks like a decision but is not JSON'],
    ['said: {"decision":"block"}', 'it printed something that looks like a decision but is not JSON'],
    ['said:{"level":1,"continue":false}', 'it printed something that looks like a decision but is not JSON'],
    ['"{\\"decision\\": 1"', 'it printed something that looks like a decision but is not JSON'],
    ["x {'decision': 'block'}", 'it printed something that looks like a decision but is not JSON'],
    [JSON.stringify(specific('Stop', {})), 'the answer is for Stop, the event is PreToolUse'],
    ['{"permissionDecision":"deny"}', 'permissionDecision is next to hookSpecificOutput, not in it'],
  ])('%s', (text, reason) => {
    expect(say('PreToolUse', text)).toEqual({ decision: 'none', reason, failure: 'failed' })
  })

  it('names the field that is wrong', () => {
    const { reason } = say('PreToolUse', { decision: 'maybe' })
    expect(reason).toMatch(/^the answer is not valid: [\s\S]*decision/)
  })
})

it('is not taken where it is meant for the other event', () => {
  const decision = { behavior: 'deny' }
  expect(say('PreToolUse', { hookSpecificOutput: { decision } })).toMatchObject({
    failure: 'failed',
    reason: expect.stringMatching(/^hookSpecificOutput\.decision is for PermissionRequest/),
  })
  expect(say('PermissionRequest', { hookSpecificOutput: { permissionDecision: 'deny' } })).toMatchObject({
    failure: 'failed',
    reason: 'hookSpecificOutput.permissionDecision is for PreToolUse',
  })
})

describe('what is no answer', () => {
  it.each([
    ['a log of many lines', 'x\n{\n"level": "info"\n}'],
    ['a list of logs', 'x\n[{"level":"info"}]'],
    ['broken JSON that decides nothing', 'x\n{"level": info}'],
    ['a truth value', 'true'],
    ['words about a "decision": to be made', 'the "decision": to be made'],
  ])('%s is no opinion', (_, text) => {
    expect(say('PreToolUse', text)).toEqual({ decision: 'none', reason: '' })
  })

  it('is an opinion where its last line is one, over many lines, indented', () => {
    expect(say('PreToolUse', 'x\n  {\n  "decision":\n  "block"\n}').decision).toBe('deny')
    expect(say('PreToolUse', 'x\n  {"decision":"block"}').decision).toBe('deny')
  })
})

describe('the words of an answer', () => {
  it('are empty where there are none', () => {
    expect(say('PreToolUse', { decision: 'block' })).toEqual({ decision: 'deny', reason: '' })
    expect(say('PreToolUse', specific('PreToolUse', { permissionDecision: 'allow' }))).toEqual({
      decision: 'allow',
      reason: '',
    })
    const decision = { behavior: 'allow' }
    expect(say('PermissionRequest', specific('PermissionRequest', { decision }))).toEqual({
      decision: 'allow',
      reason: '',
    })
    expect(say('SessionStart', ' \n')).toEqual({ decision: 'none', reason: '' })
  })

  it('of a stop come from its reason, then from that of the decision; it needs a false', () => {
    expect(say('Stop', { continue: false, reason: 'because' }).stop).toBe('because')
    expect(say('Stop', { continue: true, stopReason: 'no' })).not.toHaveProperty('stop')
  })

  it('of PermissionRequest stop the run with a deny that interrupts, and with nothing else', () => {
    const decide = (decision: object) => say('PermissionRequest', specific('PermissionRequest', { decision }))
    expect(decide({ behavior: 'deny', interrupt: true }).stop).toBe('no reason given')
    expect(decide({ behavior: 'deny', message: 'no' })).toEqual({ decision: 'deny', reason: 'no' })
    expect(decide({ behavior: 'allow', message: 'yes', interrupt: true })).toEqual({ decision: 'allow', reason: 'yes' })
  })

  it('are those of their own event: a decision of another one is no decision', () => {
    expect(say('PostToolUse', { hookSpecificOutput: { decision: { behavior: 'allow' } } }).decision).toBe('none')
    expect(say('PostToolUse', { hookSpecificOutput: { permissionDecision: 'deny' } }).decision).toBe('none')
  })

  it('are whole up to the limit', () => {
    const reasonOf = (length: number) => readEnding('Stop', { kind: 'blocked', reason: 'x'.repeat(length) }).reason
    expect(reasonOf(10_000)).toBe('x'.repeat(10_000))
    expect(reasonOf(10_001)).toBe(`${'x'.repeat(10_000)}\n[cut: 10001 characters in all]`)
  })
})

describe('a hook', () => {
  it('is named by what it runs, asks or fetches', () => {
    expect(nameOf({ type: 'command', command: 'guard.sh' })).toBe('guard.sh')
    expect(nameOf({ type: 'command', command: 'node', args: ['guard.mjs', '-v'] })).toBe('node guard.mjs -v')
    expect(nameOf({ type: 'http', url: 'https://example.com/hook' })).toBe('https://example.com/hook')
    expect(nameOf({ type: 'prompt', prompt: 'x'.repeat(100) })).toBe(`prompt: ${'x'.repeat(80)}`)
  })

  it('is chosen by any of the names of a call, with white space around a matcher', () => {
    const groups = [{ matcher: ' Edit ', hooks: [{ type: 'command', command: 'a' }] }] as const
    expect(chooseHooks(groups, { values: ['MultiEdit', 'Edit'] }, () => true)).toHaveLength(1)
    expect([' ', ' * ', ' Edit '].map((matcher) => compileMatcher(matcher)('Edit'))).toEqual([true, true, true])
  })

  it('with a rule runs at an event that has no call', () => {
    const groups = [{ hooks: [{ type: 'command', command: 'a', if: 'Bash(git *)' }] }] as const
    const matchesRule = () => false
    expect(chooseHooks(groups, { values: [] }, matchesRule)).toHaveLength(1)
  })

  it('that gives no reason is named in its place, and leaves the input alone', () => {
    const verdict = combineReplies([{ hook: 'a.sh', reply: { decision: 'deny', reason: '' }, isFatal: false }])
    expect(verdict.reason).toBe('The hook a.sh answered deny without a reason.')
    const allowed = combineReplies([{ hook: 'a.sh', reply: { decision: 'allow', reason: 'x' }, isFatal: false }])
    expect(allowed).not.toHaveProperty('updatedInput')
  })
})
