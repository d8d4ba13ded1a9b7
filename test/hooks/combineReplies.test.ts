import { expect, test } from 'vitest'
import { combineReplies, type NamedReply } from '../../src/hooks/combineReplies.ts'
import type { HookReply } from '../../src/hooks/HookReply.ts'

const reply = (hook: string, said: Partial<HookReply>, isFatal = false): NamedReply => ({
  hook,
  reply: { decision: 'none', reason: '', ...said },
  isFatal,
})
const allow = reply('allower', { decision: 'allow', reason: 'fine' })
const ask = reply('asker', { decision: 'ask', reason: 'who knows' })
const deny = reply('denier', { decision: 'deny', reason: 'no' })
const silent = reply('silent', {})
const broken = reply('broken', { failure: 'failed', reason: 'exit code 3' }, true)
const forgiven = reply('forgiven', { failure: 'failed', reason: 'exit code 3' }, false)

test.each<[string, NamedReply[], string, string]>([
  ['nobody', [], 'none', ''],
  ['silence', [silent, silent], 'none', ''],
  ['allow', [silent, allow], 'allow', 'allower'],
  ['ask before allow', [allow, ask], 'ask', 'asker'],
  ['deny before ask and allow', [allow, ask, deny], 'deny', 'denier'],
  ['a failure denies', [allow, broken], 'deny', 'broken'],
  ['a forgiven failure does not', [allow, forgiven], 'allow', 'allower'],
  ['a judgement speaks before a failure', [broken, deny], 'deny', 'denier'],
])('%s', (_, replies, decision, hook) => {
  expect(combineReplies(replies)).toMatchObject({ decision, hook })
})

test('who gives no reason is named in its place, and leaves the input alone', () => {
  const { reason } = combineReplies([reply('a.sh', { decision: 'deny' })])
  expect(reason).toBe('The hook a.sh answered deny without a reason.')
  expect(combineReplies([allow])).not.toHaveProperty('updatedInput')
})

test('a failure is reported even if another hook decided', () => {
  const verdict = combineReplies([broken, deny])
  expect(verdict.isFailure).toBe(true)
  expect(verdict.reason).toContain('no\n')
  expect(verdict.reason).toContain('The hook broken failed, and a failing hook denies: exit code 3')
})

test('a stop denies the call, with its own reason', () => {
  const verdict = combineReplies([allow, reply('stopper', { stop: 'budget is spent' })])
  const spent = 'budget is spent'
  expect(verdict).toMatchObject({ decision: 'deny', hook: 'stopper', reason: spent, stop: spent })
})

test('contexts are kept in order, even with a deny', () => {
  const replies = [reply('a', { additionalContext: 'one' }), deny, reply('b', { additionalContext: 'two' })]
  expect(combineReplies(replies).additionalContext).toEqual(['one', 'two'])
})

test('a new input goes with an allow, never with a deny', () => {
  const edited = reply('editor', { decision: 'allow', updatedInput: { command: 'ls' } })
  expect(combineReplies([edited, silent]).updatedInput).toEqual({ command: 'ls' })
  expect(combineReplies([edited, deny]).updatedInput).toBeUndefined()
})

test('two hooks may agree on a new input, but not differ', () => {
  const edit = (hook: string, command: string) => reply(hook, { decision: 'allow', updatedInput: { command } })
  const agreed = combineReplies([edit('a', 'ls'), edit('b', 'ls')])
  expect(agreed).toMatchObject({ decision: 'allow', updatedInput: { command: 'ls' } })
  const clash = combineReplies([edit('a', 'ls'), edit('b', 'ls -a')])
  expect(clash.decision).toBe('deny')
  expect(clash.reason).toContain('rewrite this call differently: a and b')
  expect(clash.updatedInput).toBeUndefined()
})
