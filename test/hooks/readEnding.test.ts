import { describe, expect, test } from 'vitest'
import type { HookEventName } from '../../src/contracts/settings.ts'
import type { HookReply } from '../../src/hooks/HookReply.ts'
import { readEnding } from '../../src/hooks/readEnding.ts'

const say = (event: HookEventName, answer: unknown) =>
  readEnding(event, { kind: 'answered', text: typeof answer === 'string' ? answer : JSON.stringify(answer) })

const specific = (fields: Record<string, unknown>) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields },
})

test.each<[string, unknown, Partial<HookReply>]>([
  ['nothing', '', { decision: 'none' }],
  ['plain text', 'all good\n', { decision: 'none' }],
  ['an empty object', {}, { decision: 'none' }],
  ['null fields', { decision: null, reason: null, hookSpecificOutput: null }, { decision: 'none' }],
  ['allow', specific({ permissionDecision: 'allow' }), { decision: 'allow' }],
  [
    'deny',
    specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    { decision: 'deny', reason: 'no' },
  ],
  ['ask', specific({ permissionDecision: 'ask' }), { decision: 'ask' }],
  ['defer, which nobody can answer later', specific({ permissionDecision: 'defer' }), { decision: 'ask' }],
  ['the older approve', { decision: 'approve' }, { decision: 'allow' }],
  ['the older block', { decision: 'block', reason: 'no' }, { decision: 'deny', reason: 'no' }],
  ['block beside specific output', { decision: 'block', ...specific({}) }, { decision: 'deny' }],
  ['a new input', specific({ updatedInput: { a: 1 } }), { decision: 'none', updatedInput: { a: 1 } }],
  ['context', specific({ additionalContext: 'look' }), { decision: 'none', additionalContext: 'look' }],
  ['a stop', { continue: false, stopReason: 'enough' }, { stop: 'enough' }],
  ['a stop without words', { continue: false }, { stop: 'no reason given' }],
  ['a message for people', { systemMessage: 'hello' }, { systemMessage: 'hello' }],
  // Scripts print more than their answer; what looks like one is never passed over.
  ['text before the answer', 'checking\n{"decision":"block","reason":"no"}', { decision: 'deny', reason: 'no' }],
  ['text behind the answer', '{"decision":"block"}\ndone', { decision: 'deny' }],
  ['an answer of many lines behind text', 'checking\n{\n  "decision": "block"\n}', { decision: 'deny' }],
  ['a log in JSON beside the answer', '{"level":"info"}\n{"decision":"block"}', { decision: 'deny' }],
  ['a log in JSON alone', 'checking\n{"level":"info"}', { decision: 'none' }],
  ['words about a decision', 'the "decision": to be made', { decision: 'none' }],
  ['a number', '42', { decision: 'none' }],
  [
    'an answer of many lines behind a long log',
    `${'[12:00] x\n'.repeat(500)}{\n"decision":\n"block"}`,
    { decision: 'deny' },
  ],
  [
    'a decision among endless beginnings of JSON',
    `${'[\n'.repeat(400_000)}{\n"decision":\n"block"}`,
    { failure: 'failed' },
  ],
  ['endless beginnings of JSON', `x\n${'[\n'.repeat(400_000)}`, { decision: 'none' }],
  [
    'an answer of many lines whose key is spelled with an escape',
    'checking\n{\n"de\\u0063ision":\n"block"}',
    { decision: 'deny' },
  ],
  ['two answers', '{"decision":"approve"}\n{"decision":"block"}', { failure: 'failed' }],
  ['an array', '[{"decision":"block"}]', { failure: 'failed' }],
  ['an array behind text', 'checking\n[{"decision":"block"}]', { failure: 'failed' }],
  ['an array of words', '["deny"]', { failure: 'failed' }],
  ['null', 'null', { failure: 'failed' }],
  ['an answer of many lines with text behind it', 'x\n{\n"decision": "block"\n}\ndone', { failure: 'failed' }],
  ['a broken answer behind text', 'checking\n{"decision": block}', { failure: 'failed' }],
  ['a decision at the wrong place', { permissionDecision: 'deny' }, { failure: 'failed' }],
  ['an answer on the line of other words', 'checking: {"decision":"block"}', { failure: 'failed' }],
  ['an answer behind colors', '\u001b[31m{"decision":"block"}\u001b[0m', { failure: 'failed' }],
  ["an answer in Python's quotes behind text", "checking\n{'decision': 'block'}", { failure: 'failed' }],
  ['an answer in a string', JSON.stringify('{"decision":"block"}'), { failure: 'failed' }],
  ['a decision that is for a request', specific({ decision: { behavior: 'deny' } }), { failure: 'failed' }],
  ['broken JSON', '{"decision":', { failure: 'failed' }],
  ['text after JSON', '{} done', { failure: 'failed' }],
  ['an unknown decision', { decision: 'maybe' }, { failure: 'failed' }],
  ['an unknown permission decision', specific({ permissionDecision: 'yes' }), { failure: 'failed' }],
  ['an input that is no object', specific({ updatedInput: 'rm -rf /' }), { failure: 'failed' }],
  ['a stop that is no boolean', { continue: 'false' }, { failure: 'failed' }],
  ['an answer for another event', { hookSpecificOutput: { hookEventName: 'Stop' } }, { failure: 'failed' }],
])('PreToolUse: %s', (_, answer, expected) => {
  expect(say('PreToolUse', answer)).toMatchObject(expected)
})

describe('PermissionRequest', () => {
  const decide = (decision: unknown) =>
    say('PermissionRequest', { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })

  test.each<[string, unknown, Partial<HookReply>]>([
    ['allow', { behavior: 'allow' }, { decision: 'allow' }],
    ['allow with another input', { behavior: 'allow', updatedInput: { a: 1 } }, { updatedInput: { a: 1 } }],
    ['deny', { behavior: 'deny', message: 'no' }, { decision: 'deny', reason: 'no' }],
    ['deny and interrupt', { behavior: 'deny', message: 'no', interrupt: true }, { decision: 'deny', stop: 'no' }],
    ['an unknown behaviour', { behavior: 'ask' }, { failure: 'failed' }],
    ['no behaviour', {}, { failure: 'failed' }],
  ])('%s', (_, decision, expected) => {
    expect(decide(decision)).toMatchObject(expected)
  })

  test('the older approve is for PreToolUse only', () => {
    expect(say('PermissionRequest', { decision: 'approve' }).decision).toBe('none')
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

test('exit 2 blocks, whatever was printed', () => {
  expect(readEnding('PostToolUse', { kind: 'blocked', reason: 'no' })).toEqual({ decision: 'deny', reason: 'no' })
})

test('long texts are cut with a note', () => {
  const { reason } = readEnding('Stop', { kind: 'blocked', reason: 'x'.repeat(30_000) })
  expect(reason.length).toBeLessThan(10_100)
  expect(reason).toContain('[cut: 30000 characters in all]')
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
