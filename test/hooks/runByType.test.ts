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

const ASYNC = { type: 'command', async: true } as const
const after = (hooks: ReturnType<typeof createTestHooks>['hooks'], signal: AbortSignal, isReadOnly = false) => {
  const hooked = hookedCall('Write')
  return hooks.postToolUse({ ...hooked, call: { ...hooked.call, isReadOnly } }, 'done', signal)
}
const warnings = (events: ReturnType<typeof createTestHooks>['events']) =>
  events.flatMap((event) => (event.type === 'system' && 'code' in event ? [`${event.code}: ${event.message}`] : []))

test('an async hook tells the model something later, and what it decides counts for nothing', async () => {
  const say = (answer: object) => ({ ...ASYNC, command: `echo '${JSON.stringify(answer)}'` })
  const answers = [
    { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'late words' } },
    { decision: 'block', reason: 'not so' },
    { continue: false, stopReason: 'enough' },
  ]
  const { hooks, events, signal } = createTestHooks({ PostToolUse: [{ hooks: answers.map(say) }] })
  expect(await after(hooks, signal)).toMatchObject({ decision: 'none', additionalContext: [] })
  await hooks.settle(60_000)
  expect(hooks.takeLate()).toEqual(['late words'])
  const word = 'decided, which counts for nothing, because nobody waits for it'
  expect(warnings(events).sort()).toEqual([
    expect.stringMatching(`^hook_async: the async hook echo .* ${word}: enough$`),
    expect.stringMatching(`^hook_async: the async hook echo .* ${word}: not so$`),
  ])
})

test('an async hook that outlives the run is ended, once, and named without secrets', async () => {
  const hook = { ...ASYNC, command: 'exec sleep 600; ./secret' }
  const redact = (text: string) => text.replaceAll('secret', '[REDACTED]')
  const { hooks, events, signal } = createTestHooks({ PostToolUse: [{ hooks: [hook] }] }, { redact })
  await after(hooks, signal)
  await hooks.settle(1)
  await hooks.settle(1)
  expect(warnings(events)).toEqual([
    'hook_async: the async hook exec sleep 600; ./[REDACTED] still ran 0.001 s after the end of the run and was ended',
    'hook_failed: PostToolUse hook exec sleep 600; ./[REDACTED]: the run was ending',
  ])
})

test('only after a call that may change files may a hook change some, for that call', async () => {
  const asked: unknown[] = []
  const { hooks, signal } = createTestHooks(
    Object.fromEntries(
      ['PreToolUse', 'PostToolUse'].map((event) => [event, [{ hooks: [{ type: 'command', command: './format' }] }]]),
    ),
    {
      runInside: async (request) => {
        asked.push(request.effects)
        throw new Error('no sandbox')
      },
    },
  )
  await hooks.preToolUse(hookedCall('Write'), signal)
  await after(hooks, signal)
  await after(hooks, signal, true)
  expect(asked).toEqual([undefined, { access: 'write', mayChangeGit: false, by: 'toolu_1' }, undefined])
})

test.each<[string, () => unknown, string, RegExp]>([
  ['nothing is no opinion', () => undefined, 'none', /^$/],
  ['an object decides', () => ({ decision: 'block', reason: 'a key' }), 'deny', /^a key$/],
  ['a text denies', () => 'fine', 'deny', /its answer is no object: "fine"$/],
  ['a list denies', () => [], 'deny', /its answer is no object: \[\]$/],
  ['a long answer denies', () => ({ systemMessage: 'x'.repeat(2_000_000) }), 'deny', /its answer has more than 1 MiB$/],
  ['an error denies', () => Promise.reject(new Error('lost')), 'deny', /it threw: lost$/],
  ['silence denies', () => new Promise(() => undefined), 'deny', /no answer within 0.1 s$/],
])('of a function, %s', async (_, answer, decision, reason) => {
  const seen: unknown[] = []
  const call = async (...[event, id]: [{ tool_input?: unknown }, string | undefined, unknown]) => {
    seen.push([event.tool_input, id])
    return answer()
  }
  const hook = { type: 'function', name: 'guard', call, timeout: 0.1 } as never
  const { hooks, signal } = createTestHooks({ PreToolUse: [{ hooks: [hook] }] })
  const verdict = await hooks.preToolUse(hookedCall('Write', { file_path: '/p/a' }), signal)
  expect([verdict.decision, seen]).toEqual([decision, [[{ file_path: '/p/a' }, 'toolu_1']]])
  expect(verdict.reason).toMatch(reason)
})
