import { expect, test } from 'vitest'
import type { ModelQuestion } from '../../src/Tool.ts'
import { createTestHooks, hookedCall } from '../helpers/tools/testHooks.ts'

async function judge(answer: string | Error, prompt = 'Is this safe? $ARGUMENTS') {
  const questions: ModelQuestion[] = []
  const { hooks, signal } = createTestHooks(
    { PreToolUse: [{ hooks: [{ type: 'prompt', prompt, timeout: 5 }] }] },
    {
      askModel: async (question) => {
        questions.push(question)
        if (answer instanceof Error) throw answer
        return answer
      },
    },
  )
  const verdict = await hooks.preToolUse(hookedCall('Bash', { command: 'ls' }), signal)
  return { verdict, question: questions[0] }
}

test.each<[string, string | Error, string, RegExp]>([
  ['ok is no opinion', '{"ok": true}', 'none', /^$/],
  ['not ok blocks', '{"ok": false, "reason": "it deletes"}', 'deny', /^it deletes$/],
  ['a fenced answer is read', '```json\n{"ok": false, "reason": "no"}\n```', 'deny', /^no$/],
  ['prose is a failure', 'This is safe.', 'deny', /did not answer with a judgment: This is safe/],
  ['another object is a failure', '{"safe": true}', 'deny', /did not answer with a judgment/],
  ['an error is a failure', new Error('overloaded'), 'deny', /could not be reached: overloaded/],
])('%s', async (_, answer, decision, reason) => {
  const { verdict } = await judge(answer)
  expect(verdict.decision).toBe(decision)
  expect(verdict.reason).toMatch(reason)
})

test('the event goes where the prompt says, or to its end', async () => {
  const { question } = await judge('{"ok": true}')
  expect(question?.prompt).toMatch(/^Is this safe\? \{.*"tool_name":"Bash".*\}$/)
  expect(question?.model).toBe('small')
  const appended = await judge('{"ok": true}', 'Is this safe?')
  expect(appended.question?.prompt).toMatch(/^Is this safe\?\n\n\{.*"tool_name":"Bash".*\}$/)
})

test('a model that does not answer in time denies', async () => {
  const { hooks, signal } = createTestHooks(
    { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'safe?', timeout: 0.1 }] }] },
    {
      askModel: (_, limit) =>
        new Promise((_resolve, reject) => limit.addEventListener('abort', () => reject(new Error('aborted')))),
    },
  )
  const verdict = await hooks.preToolUse(hookedCall('Bash'), signal)
  expect(verdict).toMatchObject({ decision: 'deny', isFailure: true })
  expect(verdict.reason).toContain('no answer within 0.1 s')
})

test.each([1.0001, 0.29, 1e12])('a timeout of %d s is a limit like any other', async (timeout) => {
  const { hooks, signal } = createTestHooks(
    { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'safe?', timeout }] }] },
    { askModel: async () => '{"ok": true}' },
  )
  expect(await hooks.preToolUse(hookedCall('Bash'), signal)).toMatchObject({ decision: 'none', isFailure: false })
})
