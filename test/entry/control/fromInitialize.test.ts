import { describe, expect, it } from 'vitest'
import { fromInitialize } from '../../../src/entry/control/fromInitialize.ts'
import type { Control, Json } from '../../../src/entry/control/openControl.ts'

/** Reads a request whose caller gives these answers, or fails with one of them. */
function initialize(request: Json, answers: readonly (Json | Error)[] = []) {
  const asked: Json[] = []
  const left = [...answers]
  const ask = async (question: Json) => {
    asked.push(question)
    const answer = left.shift() ?? {}
    if (answer instanceof Error) throw answer
    return answer
  }
  return { asked, ...fromInitialize({ subtype: 'initialize', ...request }, { ask } as unknown as Control) }
}

describe('the prompt, agents and schema', () => {
  it.each<[string, Json, Json]>([
    ['are left as they are, where nothing is given', {}, {}],
    [
      'are taken over, several texts as paragraphs',
      {
        ...{ systemPrompt: 'be brief', appendSystemPrompt: ['a', ' ', 'b', 7] },
        ...{ agents: { x: { prompt: 'p' } }, jsonSchema: { type: 'object' } },
      },
      {
        ...{ systemPrompt: { text: 'be brief' }, appendSystemPrompt: { text: 'a\n\nb' } },
        ...{ agents: '{"x":{"prompt":"p"}}', jsonSchema: '{"type":"object"}' },
      },
    ],
    ['are left as they are, where they are empty', { systemPrompt: ' ', agents: {}, jsonSchema: 'x' }, {}],
  ])('%s', (_, request, config) => {
    expect(initialize(request)).toMatchObject({ config, hooks: {}, mcpInstances: {}, warnings: [] })
    expect(Object.keys(initialize(request).config)).toEqual(Object.keys(config))
  })
})

it('says what has no effect, unless it is empty', () => {
  const empty = { a: null, b: false, c: '', d: {}, e: [] }
  const { warnings } = initialize({ ...empty, title: 'known', sandbox: { on: true }, budget: 0, hooks: { Never: [] } })
  expect(warnings).toEqual([
    'Hooks for Never never run: there is no such event here.',
    "The SDK's option sandbox has no effect here.",
    "The SDK's option budget has no effect here.",
  ])
})

describe('hooks', () => {
  it('ask the caller by their ids, under the matcher, the time and the failure that it gave', async () => {
    const matchers = [
      { matcher: 'Bash', timeout: 5, onFailure: 'continue', hookCallbackIds: ['h1', 'h2'] },
      { matcher: null, timeout: '5', onFailure: 'deny', hookCallbackIds: 'h3' },
      'nothing',
    ]
    const { hooks, asked } = initialize({ hooks: { PreToolUse: matchers } }, [{ decision: 'block' }])
    const groups = hooks?.PreToolUse ?? []
    expect(groups).toEqual([
      { matcher: 'Bash', timeout: 5, onError: 'continue', hooks: [expect.any(Function), expect.any(Function)] },
      { hooks: [expect.any(Function)] },
    ])
    expect(groups.flatMap((group) => group.hooks.map(({ name }) => name))).toEqual(['h1', 'h2', 'h3'])
    const { signal } = new AbortController()
    expect(await groups[0]?.hooks[1]?.({ x: 1 } as never, 'toolu_1', { signal })).toEqual({ decision: 'block' })
    expect(asked).toEqual([{ subtype: 'hook_callback', callback_id: 'h2', input: { x: 1 }, tool_use_id: 'toolu_1' }])
  })
})

describe('a server in the caller’s process', () => {
  /** A connected server `calc`: what it was sent, and what the caller was asked. */
  async function connect(answers: readonly (Json | Error)[] = []) {
    const read = initialize({ sdkMcpServers: ['calc', ''] }, answers)
    const sent: unknown[] = []
    const side = {
      onmessage: (_: Json): void => undefined,
      isStarted: false,
      async start() {
        this.isStarted = true
      },
      send: async (message: unknown) => void sent.push(message),
    }
    await read.mcpInstances?.['calc']?.connect(side as never)
    return { ...read, sent, side }
  }

  it('is one for each name that is not empty, and starts when it is connected', async () => {
    const { mcpInstances, side } = await connect()
    expect([Object.keys(mcpInstances ?? {}), side.isStarted]).toEqual([['calc'], true])
  })

  it('gets each message, and answers calls alone; a failure is an answer too', async () => {
    const gone = new Error('gone')
    const answers = [{ mcp_response: { id: 1, result: {} } }, { mcp_response: { id: 9 } }, gone, gone]
    const { asked, sent, side } = await connect(answers)
    const messages = [
      { id: 1, method: 'tools/list' },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call' },
      { id: 3, result: {} },
    ]
    for (const message of messages) side.onmessage(message)
    await expect.poll(() => sent.length).toBe(2)
    expect(asked).toEqual(messages.map((message) => ({ subtype: 'mcp_message', server_name: 'calc', message })))
    const fault = { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'gone' } }
    expect(sent).toEqual([{ id: 1, result: {} }, fault])
  })

  it('has its own messages handed to its connection, and to no other', async () => {
    const { deliver, sent } = await connect()
    deliver('other', { method: 'x' })
    deliver('calc', { method: 'y' })
    expect(sent).toEqual([{ method: 'y' }])
  })
})
