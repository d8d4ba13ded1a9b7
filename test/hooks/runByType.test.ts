import { expect, test } from 'vitest'
import type { HookPower } from '../../src/hooks/Hooks.ts'
import { createTestHooks, hookedCall } from '../helpers/tools/testHooks.ts'

type Asked = Parameters<HookPower['callTool']>[0]

async function play(callTool: HookPower['callTool'], input: Readonly<Record<string, unknown>> = {}, more = {}) {
  const hook = { type: 'mcp_tool', server: 'scan', tool: 'check', input, ...more } as const
  const power = (): HookPower => ({ callTool, askAgent: () => Promise.reject(new Error('none')) })
  const { hooks, signal } = createTestHooks({ PreToolUse: [{ hooks: [hook] }] }, { power })
  return hooks.preToolUse(hookedCall('Write', { file_path: '/p/a.ts', content: 'x', list: [1] }), signal)
}

test.each([
  ['a text in words', 'look at ${tool_input.file_path}!', 'look at /p/a.ts!'],
  ['a value that is no text', '${tool_input.list}', [1]],
  ['a value in words', 'is ${tool_input.list}', 'is [1]'],
  ['a whole object', '${tool_input}', { file_path: '/p/a.ts', content: 'x', list: [1] }],
  ['a field that is not there', '<${tool_input.none.at.all}>', '<>'],
  ['a field of a prototype', '${tool_input.constructor}', ''],
  ['nested', { deep: ['${tool_name}'] }, { deep: ['Write'] }],
  ['no placeholder', 5, 5],
])('the input is filled in: %s', async (_, given, wanted) => {
  const asked: Asked[] = []
  await play(
    async (tool) => {
      asked.push(tool)
      return ''
    },
    { value: given },
  )
  expect(asked).toEqual([{ server: 'scan', tool: 'check', input: { value: wanted } }])
})

test.each([
  ['plain words are no opinion', async () => 'looks fine', 'none', /^$/],
  ['an answer decides', async () => '{"decision":"block","reason":"a key"}', 'deny', /^a key$/],
  ['an error denies', () => Promise.reject(new Error('no server')), 'deny', /no server/],
  ['a long answer denies', async () => 'x'.repeat(2_000_000), 'deny', /more than 1 MiB/],
  [
    'silence denies',
    (_: Asked, __: boolean, signal: AbortSignal) =>
      new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut')))),
    'deny',
    /no answer within 0.1 s/,
  ],
] as const)('%s', async (_, callTool, decision, reason) => {
  const verdict = await play(callTool, {}, { timeout: 0.1 })
  expect(verdict.decision).toBe(decision)
  expect(verdict.reason).toMatch(reason)
})
