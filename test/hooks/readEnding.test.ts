import { describe, expect, test } from 'vitest'
import type { HookEventName } from '../../src/contracts/settings.ts'
import { type HookReply, nameOf } from '../../src/hooks/HookReply.ts'
import { readEnding } from '../../src/hooks/readEnding.ts'

const say = (event: HookEventName, answer: unknown) =>
  readEnding(event, { kind: 'answered', text: typeof answer === 'string' ? answer : JSON.stringify(answer) })

const specific = (fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields },
})

const DENIED = { decision: 'deny', reason: 'no' } as const
const LOG = '[12:00] x\n'.repeat(500)

test.each<[string, unknown, Partial<HookReply>]>([
  ['nothing', '', { decision: 'none' }],
  ['plain text', 'all good\n', { decision: 'none' }],
  ['an empty object', {}, { decision: 'none' }],
  ['null fields', { decision: null, reason: null, hookSpecificOutput: null }, { decision: 'none' }],
  ['allow', specific({ permissionDecision: 'allow' }), { decision: 'allow' }],
  ['deny', specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }), DENIED],
  ['ask', specific({ permissionDecision: 'ask' }), { decision: 'ask' }],
  ['defer, which nobody can answer later', specific({ permissionDecision: 'defer' }), { decision: 'ask' }],
  ['the older approve', { decision: 'approve' }, { decision: 'allow' }],
  ['the older block', { decision: 'block', reason: 'no' }, DENIED],
  ['block beside specific output', { decision: 'block', ...specific({}) }, { decision: 'deny' }],
  ['a new input', specific({ updatedInput: { a: 1 } }), { decision: 'none', updatedInput: { a: 1 } }],
  ['context', specific({ additionalContext: 'look' }), { decision: 'none', additionalContext: 'look' }],
  ['a stop', { continue: false, stopReason: 'enough' }, { stop: 'enough' }],
  ['a stop without words', { continue: false }, { stop: 'no reason given' }],
  ['a message for people', { systemMessage: 'hello' }, { systemMessage: 'hello' }],
  // Scripts print more than their answer; what looks like one is never passed over.
  ['text before the answer', 'checking\n{"decision":"block","reason":"no"}', DENIED],
  ['text behind the answer', '{"decision":"block"}\ndone', { decision: 'deny' }],
  ['an answer of many lines behind text', 'checking\n{\n  "decision": "block"\n}', { decision: 'deny' }],
  ['a log in JSON beside the answer', '{"level":"info"}\n{"decision":"block"}', { decision: 'deny' }],
  ['a log in JSON alone', 'checking\n{"level":"info"}', { decision: 'none' }],
  ['a log of many lines', 'x\n{\n"level": "info"\n}', { decision: 'none' }],
  ['a list of logs', 'x\n[{"level":"info"}]', { decision: 'none' }],
  ['broken JSON that decides nothing', 'x\n{"level": info}', { decision: 'none' }],
  ['a truth value', 'true', { decision: 'none' }],
  ['words about a decision', 'the "decision": to be made', { decision: 'none' }],
  ['an answer of many lines, indented', 'x\n  {\n  "decision":\n  "block"\n}', { decision: 'deny' }],
  ['an answer of one line, indented', 'x\n  {"decision":"block"}', { decision: 'deny' }],
  ['a number', '42', { decision: 'none' }],
  ['an answer of many lines behind a long log', `${LOG}{\n"decision":\n"block"}`, { decision: 'deny' }],
  [
    'a decision among endless beginnings of JSON',
    `${'[\n'.repeat(400_000)}{\n"decision":\n"block"}`,
    { failure: 'failed', reason: 'it printed a decision among too many beginnings of JSON' },
  ],
  ['endless beginnings of JSON', `x\n${'[\n'.repeat(400_000)}`, { decision: 'none' }],
  ['a key that is spelled with an escape', 'checking\n{\n"de\\u0063ision":\n"block"}', { decision: 'deny' }],
])('PreToolUse: %s', (_, answer, expected) => {
  expect(say('PreToolUse', answer)).toMatchObject(expected)
})

const LOOKS_LIKE = 'it printed something that looks like a decision but is not JSON'

test.each([
  ['null', 'the answer is null, not an object'],
  ['[{"decision":"block"}]', 'the answer is an array, not an object'],
  ['["deny"]', 'the answer is an array, not an object'],
  ['x\n[{"decision":"block"}]', 'the answer is an array, not an object'],
  ['x\n[1, {"decision":"block"}]', 'the answer is an array, not an object'],
  ['{"decision":"approve"}\n{"decision":"block"}', 'it printed 2 answers'],
  ['{ decision: block }', 'the answer starts with { but is not JSON'],
  ['{} done', 'the answer starts with { but is not JSON'],
  ['x\n{"decision": block}', LOOKS_LIKE],
  ['x\n  {"decision": block}', LOOKS_LIKE],
  ['x\n{\n"decision": "block"\n}\ndone', LOOKS_LIKE],
  ['saw a {"decision": block} there', LOOKS_LIKE],
  ['said: {"decision":"block"}', LOOKS_LIKE],
  ['said:{"level":1,"continue":false}', LOOKS_LIKE],
  ['\u001b[31m{"decision":"block"}\u001b[0m', LOOKS_LIKE],
  ['"{\\"decision\\": 1"', LOOKS_LIKE],
  ["x {'decision': 'block'}", LOOKS_LIKE],
  ['{"hookSpecificOutput":{"hookEventName":"Stop"}}', 'the answer is for Stop, the event is PreToolUse'],
  ['{"permissionDecision":"deny"}', 'permissionDecision is next to hookSpecificOutput, not in it'],
  ['{"hookSpecificOutput":{"decision":{"behavior":"deny"}}}', 'hookSpecificOutput.decision is for PermissionRequest'],
])('%s cannot be used', (text, reason) => {
  expect(say('PreToolUse', text)).toEqual({ decision: 'none', reason, failure: 'failed' })
})

test.each([
  [{ decision: 'maybe' }, 'decision'],
  [specific({ permissionDecision: 'yes' }), 'permissionDecision'],
  [specific({ updatedInput: 'rm -rf /' }), 'updatedInput'],
  [{ continue: 'false' }, 'continue'],
])('%j is not valid, and its field is named', (answer, field) => {
  const { failure, reason } = say('PreToolUse', answer)
  expect([failure, reason]).toEqual(['failed', expect.stringMatching(`^the answer is not valid: [^]*${field}`)])
})

describe('PermissionRequest', () => {
  const decide = (decision: unknown) =>
    say('PermissionRequest', { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })

  test.each<[string, unknown, Partial<HookReply>]>([
    ['allow', { behavior: 'allow' }, { decision: 'allow', reason: '' }],
    ['allow with another input', { behavior: 'allow', updatedInput: { a: 1 } }, { updatedInput: { a: 1 } }],
    ['deny', { behavior: 'deny', message: 'no' }, { decision: 'deny', reason: 'no' }],
    ['deny and interrupt', { behavior: 'deny', message: 'no', interrupt: true }, { decision: 'deny', stop: 'no' }],
    ['deny and interrupt without words', { behavior: 'deny', interrupt: true }, { stop: 'no reason given' }],
    ['an unknown behaviour', { behavior: 'ask' }, { failure: 'failed' }],
    ['no behaviour', {}, { failure: 'failed' }],
  ])('%s', (_, decision, expected) => {
    expect(decide(decision)).toMatchObject(expected)
  })

  test('stops the run with a deny that interrupts, and with nothing else', () => {
    expect(decide({ behavior: 'deny', message: 'no' })).toEqual({ decision: 'deny', reason: 'no' })
    expect(decide({ behavior: 'allow', message: 'yes', interrupt: true })).toEqual({ decision: 'allow', reason: 'yes' })
  })

  test('is not decided in the form of PreToolUse', () => {
    expect(say('PermissionRequest', { decision: 'approve' }).decision).toBe('none')
    const reason = 'hookSpecificOutput.permissionDecision is for PreToolUse'
    const answer = { hookSpecificOutput: { permissionDecision: 'deny' } }
    expect(say('PermissionRequest', answer)).toEqual({ decision: 'none', reason, failure: 'failed' })
  })
})

test.each<[HookEventName, string | undefined]>([
  ['UserPromptSubmit', 'the branch is main'],
  ['SessionStart', 'the branch is main'],
  ['PreToolUse', undefined],
  ['PostToolUse', undefined],
  ['Stop', undefined],
])('plain text of a %s hook is context: %s', (event, expected) => {
  expect(say(event, ' the branch is main\n').additionalContext).toBe(expected)
})

test('an answer without words has none, and a decision of another event decides nothing', () => {
  expect(say('PreToolUse', { decision: 'block' })).toEqual({ decision: 'deny', reason: '' })
  expect(say('PreToolUse', specific({ permissionDecision: 'allow' }))).toEqual({ decision: 'allow', reason: '' })
  expect(say('SessionStart', ' \n')).toEqual({ decision: 'none', reason: '' })
  expect(say('Stop', { continue: false, reason: 'because' }).stop).toBe('because')
  expect(say('Stop', { continue: true, stopReason: 'no' })).not.toHaveProperty('stop')
  expect(say('PostToolUse', { hookSpecificOutput: { decision: { behavior: 'allow' } } }).decision).toBe('none')
  expect(say('PostToolUse', { hookSpecificOutput: { permissionDecision: 'deny' } }).decision).toBe('none')
})

test('exit 2 blocks; its words are whole up to the limit', () => {
  const blocked = (length: number) => readEnding('Stop', { kind: 'blocked', reason: 'x'.repeat(length) })
  expect(blocked(10_000)).toEqual({ decision: 'deny', reason: 'x'.repeat(10_000) })
  expect(blocked(10_001).reason).toBe(`${'x'.repeat(10_000)}\n[cut: 10001 characters in all]`)
})

test('a hook is named by what it runs, asks or fetches', () => {
  expect(nameOf({ type: 'command', command: 'guard.sh' })).toBe('guard.sh')
  expect(nameOf({ type: 'command', command: 'node', args: ['guard.mjs', '-v'] })).toBe('node guard.mjs -v')
  expect(nameOf({ type: 'http', url: 'https://example.com/hook' })).toBe('https://example.com/hook')
  expect(nameOf({ type: 'prompt', prompt: 'x'.repeat(100) })).toBe(`prompt: ${'x'.repeat(80)}`)
})

test('every text is redacted as a whole, before it is cut', () => {
  const redact = (text: string) => text.replaceAll('secret', '***')
  const long = `${'x'.repeat(9_997)}secret`
  expect(readEnding('Stop', { kind: 'blocked', reason: long }, redact).reason).not.toContain('sec')
  expect(readEnding('PreToolUse', { kind: 'failed', detail: 'a secret' }, redact).reason).toBe('a ***')
  const answer = {
    continue: false,
    stopReason: 'stop secret',
    systemMessage: 'say secret',
    hookSpecificOutput: {
      permissionDecision: 'deny',
      permissionDecisionReason: 'deny secret',
      additionalContext: 'add secret',
      updatedInput: { command: 'use secret' },
    },
  }
  expect(readEnding('PreToolUse', { kind: 'answered', text: JSON.stringify(answer) }, redact)).toEqual({
    decision: 'deny',
    reason: 'deny ***',
    stop: 'stop ***',
    systemMessage: 'say ***',
    additionalContext: 'add ***',
    updatedInput: { command: 'use secret' },
  })
})
