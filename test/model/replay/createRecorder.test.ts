import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../../../src/contracts/messages.ts'
import type { ModelClient, ModelEvent, ModelRequest } from '../../../src/contracts/model.ts'
import { createModelClient, type ModelOptions } from '../../../src/model/createModelClient.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { type Step, startMessagesServer } from '../../helpers/model/messagesServer.ts'
import { ask, collect, modelRequest, SHORT_TIMERS, TEST_KEY } from '../../helpers/model/modelRun.ts'

const SECRET = 'hunter2-hunter2-hunter2'
const OPTIONS = { redact: (text: string) => text.replaceAll(SECRET, '[REDACTED:PASSWORD]'), volatile: ['/srv/here'] }

const newFile = () => join(makeFolder(), 'run.jsonl')

function startRecordingTo(file: string, baseURL = 'https://api.anthropic.com') {
  const anthropic = { apiKey: TEST_KEY, baseURL, waitScale: 0, random: () => 0, timers: SHORT_TIMERS }
  return createModelClient({ ...OPTIONS, provider: 'anthropic', anthropic, record: { file } })
}

async function startRecording(steps: readonly Step[]) {
  const server = await startMessagesServer(steps)
  onTestFinished(() => server.close())
  const file = newFile()
  return { client: await startRecordingTo(file, server.url), file, server }
}

/** The file with these requests, which the server answers with these steps; what came of them. */
async function recorded(steps: readonly Step[], requests: readonly Partial<ModelRequest>[]) {
  const { client, file, server } = await startRecording(steps)
  const live = await askAll(client, requests)
  await client.close()
  return { file, server, live }
}

async function startReplay(file: string, changes: Partial<ModelOptions> & { match?: 'strict' | 'loose' } = {}) {
  const anthropic = { apiKey: undefined, baseURL: 'https://api.anthropic.com', random: () => 0 }
  const replay = { file, match: changes.match ?? ('strict' as const) }
  return await createModelClient({ ...OPTIONS, provider: 'anthropic', anthropic, ...changes, replay })
}

const task = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })

/** The conversation of a run with one call, as its requests grow. */
function conversation(result: string): Partial<ModelRequest>[] {
  const id = 'toolu_test_1_1'
  const use = { type: 'tool_use', id, name: 'Bash', input: { command: 'date' } } as const
  const call: Message = { role: 'assistant', content: [use] }
  const answer: Message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] }
  return [{ messages: [task('what time is it?')] }, { messages: [task('what time is it?'), call, answer] }]
}

async function askAll(client: ModelClient, requests: readonly Partial<ModelRequest>[]): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for (const request of requests) {
    const { events: seen, message } = await ask(client, request)
    expect(message.type).toBe('message')
    events.push(...seen)
  }
  return events.map((event) => (event.type === 'message' ? { ...event, durationMs: 0 } : event))
}

const CALLED: Step = { turn: { think: 'hm', say: 'Grüße 🎉', tools: [{ name: 'Bash', input: { command: 'date' } }] } }
const OK: Step = { turn: { say: 'ok' } }
const STEPS: Step[] = [
  { status: 529 },
  { status: 429, headers: { 'retry-after': '7' } },
  { turn: { say: 'cut in the middle of it', tools: [{ name: 'Bash', input: { command: 'x' } }] }, cutAtByte: 900 },
  CALLED,
  { turn: { say: 'silence' }, stallAfter: 500 },
  { turn: { say: 'It is late.' } },
]

test('a recorded run replays event for event, faults and waits included', { tags: 'long' }, async () => {
  const { file, live } = await recorded(STEPS, conversation('Sat Nov 21 10:00:00'))
  const types = live.map((event) => event.type)
  expect(types).toContain('discarded')
  expect(types).toContain('stall')
  const replayed = await startReplay(file)
  expect(await askAll(replayed, conversation('Sat Nov 21 10:00:00'))).toEqual(live)
  await replayed.close()
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(STEPS.length)
})

test('a recording holds no credential and no secret, not even one cut into deltas, and is private', async () => {
  const say = `the password is ${'.'.repeat(20)} ${SECRET}!`
  const tools = [{ name: 'Bash', input: { command: `echo ${'x'.repeat(30)} ${SECRET}` } }]
  const { file, server } = await recorded([{ turn: { say, tools } }], [{ messages: [task(`use ${SECRET}`)] }])
  expect(server.requests[0]?.text).toContain(SECRET)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain(TEST_KEY)
  expect(text).not.toMatch(/bearer|authorization/i)
  expect(text).toContain('[REDACTED:PASSWORD]')
  expect(statSync(file).mode & 0o077).toBe(0)
  const replayed = await startReplay(file)
  const { message } = await ask(replayed, { messages: [task(`use ${SECRET}`)] })
  expect(message.content[0]).toEqual({ type: 'text', text: say.replace(SECRET, '[REDACTED:PASSWORD]') })
})

test('accepts different dates, times, folders and ids', async () => {
  const texts = [
    'Sat Nov 21 10:00:01 2026-11-21T10:00:00.123Z in /srv/here/src, /tmp/kode-a1/x.txt, took 12 ms, id 0b9f6a1e-5a3c-4b57-9f0e-0123456789ab',
    'Fri Jan  2 23:59:59 2027-01-02T23:59:59Z in /srv/here/src, /tmp/kode-zz9/x.txt, took 3.5 s, id ffffffff-5a3c-4b57-9f0e-0123456789ab',
  ]
  const { file } = await recorded([CALLED, OK], conversation(texts[0] ?? ''))
  const moved = (texts[1] ?? '').replace('/srv/here', '/elsewhere')
  const replayed = await startReplay(file, { volatile: ['/elsewhere', '/tmp', '/'] })
  await askAll(replayed, conversation(moved))
  await replayed.close()
})

test('a mismatch names the first different message, and nothing reaches the network', async () => {
  const { file, server } = await recorded([CALLED, OK], conversation('all 3 checks passed'))
  const replayed = await startReplay(file, { anthropic: { apiKey: TEST_KEY, baseURL: server.url } })
  const [first, second] = conversation('all 2 checks passed')
  await ask(replayed, first)
  const { error } = await ask(replayed, second)
  expect(error).toMatchObject({ name: 'RunError', reason: 'replay_mismatch' })
  expect(String(error)).toMatch(
    /request 2 .*message 3 differs\n {2}recorded: .*all 3 checks.*\n {2}now: .*all 2 checks/s,
  )
  expect(server.requests).toHaveLength(2)
  await expect(replayed.close()).rejects.toMatchObject({ message: expect.stringContaining('1 of 2 recorded answers') })
})

const TOOL = { name: 'Read', description: 'Reads.', input_schema: { type: 'object', properties: {} } }
const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] as never })
const LONG = 'x'.repeat(100)

test.each<[string, Partial<ModelRequest>, Partial<ModelRequest>, string]>([
  ['model', {}, { model: 'claude-opus-5-5' }, 'the model was claude-sonnet-5-5, and is claude-opus-5-5'],
  ['system prompt', {}, { system: 'Another.' }, 'the system prompt differs'],
  ['thinking', {}, { effort: 'low' }, 'thinking was not set, and is {"output":{"effort":"low"}}'],
  ['tools', {}, { tools: [{ ...TOOL, name: 'Write' }] }, 'other tools are offered (new: Write; gone: Read)'],
  ['set of tools', {}, { tools: [TOOL, { ...TOOL, name: 'LS' }] }, 'other tools are offered (new: LS; gone: none)'],
  ['tool', {}, { tools: [{ ...TOOL, description: 'x' }] }, 'the description or schema of a tool differs'],
  [
    'task',
    { messages: [task(`${LONG}A${LONG}${LONG}`)] },
    { messages: [task(`${LONG}B`)] },
    `message 1 differs\n  recorded: …${LONG.slice(40)}A${`${LONG}${LONG}`.slice(0, 139)}…\n  now:      …${LONG.slice(40)}B","type":"text"}],"role":"user"}`,
  ],
  ['end', { messages: [task('a'), said('b'), task('c')] }, { messages: [task('a')] }, 'it ends before message 2'],
  [
    'length',
    { messages: [task('a')] },
    { messages: [task('a'), said('b'), task('c')] },
    'message 2 differs\n  recorded: absent\n  now:      another text',
  ],
])('a changed %s is reported as such', async (_name, request, asked, difference) => {
  const { file } = await recorded([OK], [request])
  const { error } = await ask(await startReplay(file), { ...request, ...asked })
  const message = `${file}: request 1 is not the recorded one: ${difference}`
  expect(error).toMatchObject({ reason: 'replay_mismatch', message })
})

test('the words of an earlier message are found in the request where it was the latest', async () => {
  const { file } = await recorded([CALLED, OK], conversation('10:00'))
  const replayed = await startReplay(file)
  const [first, second] = conversation('10:00')
  await ask(replayed, first)
  const [, ...rest] = second?.messages ?? []
  const { error } = await ask(replayed, { messages: [task('where is it?'), ...rest] })
  expect(String(error)).toMatch(/message 1 differs\n {2}recorded: .*what time is it.*\n {2}now: {6}another text/)
  const { error: other } = await ask(await startReplay(file), {
    messages: [task('what time is it?'), said('ten'), task('so?')],
  })
  expect(String(other)).toMatch(/recorded one: .*message 2 differs\n {2}recorded: absent/)
})

test('loose compares only the calls so far', async () => {
  const { file } = await recorded([CALLED, OK], conversation('recorded result'))
  const loose = await startReplay(file, { match: 'loose' })
  const other = conversation('another result').map((request) => ({ ...request, system: 'Another prompt.' }))
  expect((await askAll(loose, other)).at(-1)).toMatchObject({ type: 'message' })
  await loose.close()
  const wrong = await startReplay(file, { match: 'loose' })
  const { error } = await ask(wrong, other[1])
  const message = expect.stringContaining('call 1 was none, and is Bash')
  expect(error).toMatchObject({ reason: 'replay_mismatch', message })
  const short = await startReplay(file, { match: 'loose' })
  await ask(short, other[0])
  expect(String((await ask(short, other[0])).error)).toContain('call 1 was Bash, and is none')
})

test('parallel conversations find their own answers in any order', async () => {
  const steps = ['for a', 'for b'].map((say) => ({ turn: { say } }))
  const { file } = await recorded(steps, [{ messages: [task('a')] }, { messages: [task('b')] }])
  const replayed = await startReplay(file)
  const asked = ['b', 'a'].map((text) => ask(replayed, { messages: [task(text)] }))
  const contents = (await Promise.all(asked)).map(({ message }) => message.content)
  expect(contents).toMatchObject([[{ text: 'for b' }], [{ text: 'for a' }]])
  await replayed.close()
})

test('an attempt that the user aborts is not recorded', async () => {
  const { client, file } = await startRecording([{ turn: { say: 'x' }, stallAfter: 400 }, { before: 'silent' }])
  for (const reason of ['in mid-answer', 'before it']) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error(reason)), 100)
    const { error } = await collect(client.stream(modelRequest(), controller.signal))
    expect(String(error)).toContain(reason)
  }
  await client.close()
  expect(readFileSync(file, 'utf8')).toBe('')
})

test('an existing recording is not overwritten', async () => {
  const file = newFile()
  writeFileSync(file, 'the one of yesterday')
  const message = expect.stringContaining('remove it')
  await expect(startRecordingTo(file)).rejects.toMatchObject({ reason: 'cannot_create', message })
  expect(readFileSync(file, 'utf8')).toBe('the one of yesterday')
})

test('unusable files are named', async () => {
  await expect(startRecordingTo('/no/such/folder/run.jsonl')).rejects.toMatchObject({ reason: 'cannot_create' })
  const file = newFile()
  for (const text of ['', '{"v":1}', 'no json', '{"v":2}']) {
    writeFileSync(file, text)
    const message = expect.stringContaining(file)
    await expect(startReplay(file)).rejects.toMatchObject({ reason: 'bad_input', message })
  }
  writeFileSync(file, '{"v":1}')
  await expect(startReplay(file)).rejects.toThrow(/not a line of a recording: request: .*; status: /)
  expect(existsSync('/no/such')).toBe(false)
})
