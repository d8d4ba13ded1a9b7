import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message } from '../../../src/contracts/messages.ts'
import type { ModelClient } from '../../../src/contracts/model.ts'
import { createModelClient, type ModelOptions } from '../../../src/model/createModelClient.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { ask } from '../../helpers/model/modelRun.ts'

const OPTIONS: ModelOptions = {
  provider: 'anthropic',
  anthropic: { apiKey: undefined, baseURL: 'https://api.anthropic.com' },
  redact: (text) => text,
  volatile: [],
}

async function replay(script: string, changes: Partial<ModelOptions> = {}, name = 'turns.yml'): Promise<ModelClient> {
  const file = join(makeFolder(), name)
  writeFileSync(file, script)
  return await createModelClient({ ...OPTIONS, ...changes, replay: { file, match: 'strict' } })
}

const task = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })

test('plays turns in order, without key, host or network', async () => {
  const client = await replay(`
- think: Look first.
  say: I read it.
  tool: Read
  input: { file_path: src/a.ts }
- tools:
    - { name: Grep, input: { pattern: x } }
    - { name: LS }
- say: Done.
  usage: { input_tokens: 7, output_tokens: 3 }
- say: Cut
  stop: max_tokens
`)
  expect(client).toMatchObject({ name: 'replay', host: null })
  const first = (await ask(client)).message
  expect(first.stop_reason).toBe('tool_use')
  expect(first.content).toEqual([
    { type: 'thinking', thinking: 'Look first.', signature: 'signature-replay_1' },
    { type: 'text', text: 'I read it.' },
    { type: 'tool_use', id: 'toolu_replay_1_1', name: 'Read', input: { file_path: 'src/a.ts' } },
  ])
  const second = (await ask(client)).message
  expect(second.content).toMatchObject([
    { name: 'Grep', input: { pattern: 'x' } },
    { name: 'LS', input: {} },
  ])
  const third = (await ask(client)).message
  expect(third.usage).toMatchObject({ input_tokens: 7, output_tokens: 3 })
  expect((await ask(client)).message.stop_reason).toBe('max_tokens')
  await client.close()
})

test('faults match those of the wire; waits are reported but skipped', async () => {
  const client = await replay(`
- { error: 529 }
- { error: 429, retryAfter: 90, message: slow down }
- { drop: start }
- { say: half, tool: Read, drop: mid }
- { say: no end, drop: end }
- { stall: idle, say: then silence }
- { raw: { body: '<html>login</html>' } }
- { raw: { status: 502, type: text/plain, body: bad gateway } }
- say: at last
`)
  const { events, message } = await ask(client)
  expect(message.content).toEqual([{ type: 'text', text: 'at last' }])
  const told = events.filter((event) => event.type === 'retry')
  expect(told.map((event) => event.error)).toEqual([
    ...['overloaded', 'rate_limit', 'connection', 'connection', 'bad_stream', 'stalled', 'bad_stream', 'server_error'],
  ])
  expect(told[1]).toMatchObject({ source: 'retry-after', status: 429 })
  expect(told[1]?.delayMs).toBeGreaterThanOrEqual(90_000)
  expect(events.filter((event) => event.type === 'discarded').map((event) => event.blocks)).toEqual([2, 1, 1])
  expect(events.filter((event) => event.type === 'stall')).toEqual([{ type: 'stall', phase: 'idle', silentMs: 60_000 }])
  await client.close()
})

test('the limits of a run hold in a replay: a wait over the limit, a fallback model, a second silence', async () => {
  const anthropic = { apiKey: undefined, baseURL: 'x', maxRetryWaitMs: 1000, fallbackModels: ['claude-haiku-5-5'] }
  const limited = await replay('- { error: 429, retryAfter: 5 }', { anthropic })
  expect((await ask(limited)).error).toMatchObject({ reason: 'rate_limited' })
  const overloaded = await replay('[{ error: 529 }, { error: 529 }, { error: 529 }, { say: small }]', { anthropic })
  expect((await ask(overloaded)).message.model).toBe('claude-haiku-5-5')
  const silent = await replay('[{ stall: first_byte }, { stall: first_byte }]')
  expect((await ask(silent)).error).toMatchObject({ kind: 'stalled', reason: 'api_unavailable' })
  const pings = await replay('[{ stall: ping_only, say: x }]')
  expect((await ask(pings)).error).toMatchObject({ kind: 'stalled', reason: 'api_unavailable' })
})

test('`for` assigns turns to a conversation', async () => {
  const client = await replay(`
- say: main 1
- for: find the bug
  say: agent 1
- say: main 2
- for: find the bug in b.ts
  say: agent b
- for: find the bug
  say: agent 2
`)
  const say = async (text: string) => (await ask(client, { messages: [task(text)] })).message.content
  expect(await say('please find the bug in a.ts')).toMatchObject([{ text: 'agent 1' }])
  expect(await say('please find the bug in b.ts')).toMatchObject([{ text: 'agent b' }])
  expect(await say('the task')).toMatchObject([{ text: 'main 1' }])
  expect(await say('please find the bug in a.ts')).toMatchObject([{ text: 'agent 2' }])
  expect(await say('the task')).toMatchObject([{ text: 'main 2' }])
  await client.close()
})

test('`expect` checks the latest message, including tool results', async () => {
  const script = '[{ tool: Bash, input: { command: ls } }, { expect: "a.ts", say: ok }]'
  const call: Message = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] }
  const after = (text: string): Message[] => {
    const result = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text }] } as const
    return [task('x'), call, { role: 'user', content: [result] }]
  }
  const good = await replay(script)
  await ask(good)
  expect((await ask(good, { messages: after('a.ts\nb.ts') })).message.stop_reason).toBe('end_turn')
  const bad = await replay(script)
  await ask(bad)
  const { error, events } = await ask(bad, { messages: after('Permission denied') })
  expect(error).toMatchObject({ name: 'RunError', reason: 'replay_mismatch' })
  expect(String(error)).toMatch(/turns\.yml:1:\d+: expected "a\.ts".*Permission denied/)
  expect(events).toEqual([])
})

test('a surplus request and an unused turn are mismatches', async () => {
  const client = await replay('- say: only')
  await ask(client)
  const { error } = await ask(client, { messages: [task('more?')] })
  const surplus = expect.stringContaining('more?')
  expect(error).toMatchObject({ name: 'RunError', reason: 'replay_mismatch', message: surplus })
  const left = await replay('- say: one\n- say: two\n- say: three')
  await ask(left)
  const message = expect.stringMatching(/turns\.yml:2:3: 2 turns/)
  await expect(left.close()).rejects.toMatchObject({ reason: 'replay_mismatch', message })
})

test.each([
  ['- tools: [{ tool: Read, input: {} }]', /turns\.yml:1:11 name is missing\n.*1:13 unknown key tool/],
  ['- sya: hi', /^\S*turns\.yml:1:3 unknown key sya \(did you mean say\?\)$/],
  ['- say: x\n  zzz: 1', /turns\.yml:2:3 unknown key zzz$/],
  ['- say: 7', /turns\.yml:1:8 say: .*string/],
  ['- say: a\n- {}', /turns\.yml:2:3 a turn needs one of say/],
  ['- tool: A\n  tools: [{ name: B }]', /turns\.yml:2:10 tools: does not go with tool/],
  ['- input: { a: 1 }\n  say: x', /turns\.yml:1:10 input: needs tool/],
  ['- error: 529\n  say: x', /say: does not go with an error/],
  ['- error: 200', /error: /],
  ['- say: x\n  retryAfter: 1', /retryAfter: needs error/],
  ['- { drop: mid, stall: idle, say: x }', /one of error, drop/],
  ['say: x', /turns\.yml:1:1 .*array/],
  ['- say: [', /turns\.yml:\d+:\d+ /],
  ['', /turns\.yml:1:1/],
  [`- &a [${'x,'.repeat(99)}]\n- &b [${'*a,'.repeat(99)}]\n- [${'*b,'.repeat(99)}]`, /turns\.yml:1:1 .*alias/],
])('a mistake in a script names its place: %j', async (script, message) => {
  await expect(replay(script)).rejects.toMatchObject({ reason: 'bad_input', message: expect.stringMatching(message) })
})

test('a file that is not a replay is refused by name', async () => {
  for (const name of ['turns.txt', 'turns.yml.txt', 'turns.jsonl.gz'])
    await expect(replay('- say: x', {}, name)).rejects.toMatchObject({ reason: 'usage' })
  const missing = createModelClient({ ...OPTIONS, replay: { file: '/no/such.yml', match: 'strict' } })
  await expect(missing).rejects.toMatchObject({ reason: 'bad_input', message: expect.stringContaining('/no/such.yml') })
  await expect(createModelClient({ ...OPTIONS, provider: 'bedrock' })).rejects.toThrow(/bedrock needs the option cloud/)
  await expect(createModelClient(OPTIONS)).rejects.toMatchObject({ reason: 'auth' })
})
