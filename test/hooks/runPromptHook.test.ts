import { expect, test } from 'vitest'
import type { HookEnding } from '../../src/hooks/HookReply.ts'
import { runPromptHook } from '../../src/hooks/runPromptHook.ts'
import type { ModelQuestion } from '../../src/Tool.ts'
import { createTestHooks, hookedCall } from '../helpers/tools/testHooks.ts'

const power = () => {
  throw new Error('this test has no run')
}

const NO: HookEnding = { kind: 'blocked', reason: 'no' }
const unread = (answer: string): HookEnding => ({
  ...{ kind: 'failed', detail: `the model did not answer with a judgment: ${answer}` },
})

test.each<[string, string | Error, HookEnding]>([
  ['yes', '{"ok":true,"reason":"fine"}', { kind: 'answered', text: '' }],
  ['no', '{"ok":false,"reason":"no"}', NO],
  ['prose', 'This is safe.', unread('This is safe.')],
  ['another object', '{"safe":true}', unread('{"safe":true}')],
  ['no, without a reason', '{"ok":false}', { kind: 'blocked', reason: '' }],
  ['a fence without a language, and lines around it', '\n```\n\n{"ok":false,"reason":"no"}\n\n```\n', NO],
  ['a fence in one line', '```json {"ok":false,"reason":"no"}```', NO],
  ['words before a fence', 'Sure: ```{"ok":true}```', unread('Sure: ```{"ok":true}```')],
  ['words after a fence', '```{"ok":true}``` Done.', unread('```{"ok":true}``` Done.')],
  ['an endless answer', 'x'.repeat(1000), unread('x'.repeat(500))],
  ['an error', new Error('overloaded'), { kind: 'failed', detail: 'the model could not be reached: overloaded' }],
])('an answer is read: %s', async (_, answer, ending) => {
  const questions: ModelQuestion[] = []
  const askModel = async (question: ModelQuestion) => {
    questions.push(question)
    if (answer instanceof Error) throw answer
    return answer
  }
  const limits = { timeoutMs: 5_000, signal: new AbortController().signal }
  const hook = { type: 'prompt', prompt: 'safe?', model: 'judge' } as const
  expect(await runPromptHook(hook, '{}', limits, { askModel, power })).toEqual(ending)
  expect(questions).toMatchObject([{ purpose: 'prompt hook', model: 'judge', prompt: 'safe?\n\n{}' }])
})

test('the limit of the run ends the question too, and is no time limit of the hook', async () => {
  const askModel = (_: ModelQuestion, limit: AbortSignal) => Promise.reject(new Error(`aborted: ${limit.aborted}`))
  const limits = { timeoutMs: 60_000, signal: AbortSignal.abort() }
  const ending = await runPromptHook({ type: 'prompt', prompt: 'safe?' }, '{}', limits, { askModel, power })
  expect(ending).toEqual({ kind: 'failed', detail: 'the model could not be reached: aborted: true' })
})

test.each([
  ['Is this safe? $ARGUMENTS', /^Is this safe\? \{.*"tool_name":"Bash".*\}$/],
  ['Is this safe?', /^Is this safe\?\n\n\{.*"tool_name":"Bash".*\}$/],
])('the event goes where the prompt says, or to its end: %s', async (prompt, expected) => {
  const questions: ModelQuestion[] = []
  const askModel = async (question: ModelQuestion) => `{"ok": ${questions.push(question) > 0}}`
  // Parts of a second that no timer can hold exactly are limits like any other.
  const hooked = createTestHooks(
    { PreToolUse: [{ hooks: [{ type: 'prompt', prompt, timeout: 1.0001 }] }] },
    { askModel },
  )
  const verdict = await hooked.hooks.preToolUse(hookedCall('Bash', { command: 'ls' }), hooked.signal)
  expect(verdict).toMatchObject({ decision: 'none', isFailure: false })
  expect(questions).toMatchObject([{ prompt: expect.stringMatching(expected), model: 'small' }])
})

test('a model that does not answer in time denies', async () => {
  const limits = { timeoutMs: 100, signal: new AbortController().signal }
  const askModel = (_: ModelQuestion, limit: AbortSignal) =>
    new Promise<string>((_resolve, reject) => limit.addEventListener('abort', () => reject(new Error('aborted'))))
  const ending = await runPromptHook({ type: 'prompt', prompt: 'safe?' }, '{}', limits, { askModel, power })
  expect(ending).toEqual({ kind: 'timeout', detail: 'no answer within 0.1 s' })
})
