import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunEvent, TranscriptRecord } from '../../../src/contracts/events.ts'
import { readTranscript } from '../../../src/report/transcript/readTranscript.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { buildEvents, INIT, sampleRun, stamp } from '../../helpers/runs/events.ts'

const RECORDS = stamp(sampleRun())
const END = sampleRun().at(-1) as RunEvent
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const textOf = (lines: readonly (TranscriptRecord | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')

function verify(
  lines: readonly (TranscriptRecord | string)[],
  blobs: Readonly<Record<string, string>> = {},
  head?: string,
) {
  const folder = makeFolder()
  mkdirSync(join(folder, 'blobs'))
  for (const [name, text] of Object.entries(blobs)) writeFileSync(join(folder, 'blobs', name), text)
  writeFileSync(join(folder, 't.jsonl'), textOf(lines))
  return verifyTranscript(join(folder, 't.jsonl'), head)
}

describe('the calls', () => {
  it('are those with a result, one by one', async () => {
    const { events, say } = buildEvents()
    say([
      { type: 'tool_use', id: 'a', name: 'Read', input: {} },
      { type: 'tool_use', id: 'b', name: 'Read', input: {} },
    ])
    const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' }) as const
    const content = [result('a'), result('b'), { type: 'text', text: 'a hook says' } as const]
    const both: RunEvent = { type: 'user', parent_tool_use_id: null, message: { role: 'user', content } } as RunEvent
    expect(await verify(stamp([INIT, ...events, both, END]))).toMatchObject({ isIntact: true, calls: 2 })
    expect(await verify(stamp([INIT, END]))).toMatchObject({ isIntact: true, calls: 0 })
  })
})

describe('a call and its result', () => {
  const stray = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'stray', content: 'x' }] }
  const result = { type: 'user', parent_tool_use_id: null, message: stray } as unknown as RunEvent
  const reasons = async (events: readonly RunEvent[]) =>
    (await verify(stamp(events))).problems.map(({ reason }) => reason)

  it('belong together from the first record on: only a resumed run begins with results', async () => {
    const lost = 'the result stray has no call that waits for it'
    expect(await reasons([INIT, result, END])).toEqual([lost])
    expect(await reasons([result, END])).toEqual([lost])
    const resumed = { ...INIT, resumed_from: { run: 'run-0', seq: 9 } } as RunEvent
    expect(await reasons([resumed, result, END])).toEqual([])
  })

  it('are not parted by an answer of a sub-agent that was discarded', async () => {
    const { events, say } = buildEvents()
    say([{ type: 'tool_use', id: 'main', name: 'Agent', input: {} }])
    say([{ type: 'tool_use', id: 'inner', name: 'Read', input: {} }], 'main')
    const discarded = { type: 'system', subtype: 'turn_discarded', reason: 'cut', blocks: 1, early: [] }
    const ofAgent = { ...discarded, parent_tool_use_id: 'main' } as unknown as RunEvent
    expect(await reasons([INIT, ...events, ofAgent, END])).toEqual(['the call main has no result'])
  })
})

describe('a record without an end', () => {
  it('is unfinished, not changed, where only the end is missing: cut at a line, torn, or with open calls', async () => {
    const cut = RECORDS.slice(0, 8)
    const cases = [RECORDS.slice(0, -1), cut, [...cut, '{"v":1,"ru'], RECORDS.slice(0, 1)]
    for (const lines of cases) expect(await verify(lines)).toMatchObject({ isIntact: false, isUnfinished: true })
    expect((await verify([...cut, '{"v":1,"ru'])).problems).toMatchObject([
      { seq: 9, line: 9, reason: 'the line is not whole JSON' },
      { seq: 9, line: 9, reason: 'the end record is missing' },
      { seq: 9, line: 9, reason: 'the call toolu_2 has no result' },
    ])
  })

  it('is not only unfinished where something was changed, or nothing can be read', async () => {
    const first = RECORDS[0] as TranscriptRecord
    const cases: [readonly (TranscriptRecord | string)[], string?][] = [
      [[...RECORDS.slice(0, 3), 'garbage', ...RECORDS.slice(3, 6)]],
      [RECORDS.slice(1, 6)],
      [[{ ...first, prev: 'f'.repeat(64) }]],
      [RECORDS.slice(0, 6), 'f'.repeat(64)],
      [[]],
      [['garbage']],
    ]
    for (const [lines, head] of cases)
      expect(await verify(lines, {}, head)).toMatchObject({ isIntact: false, isUnfinished: false })
  })

  it('is not unfinished where there is an end: a call without a result was taken out of it', async () => {
    const { events, say } = buildEvents()
    say([{ type: 'tool_use', id: 'lost', name: 'Read', input: {} }])
    expect(await verify(stamp([INIT, ...events, END]))).toMatchObject({
      isIntact: false,
      isUnfinished: false,
      problems: [{ seq: 4, line: 4, reason: 'the call lost has no result' }],
    })
    expect(await verify(RECORDS)).toMatchObject({ isIntact: true, isUnfinished: false })
  })

  it('is so also where the end is that of another run', async () => {
    const other = stamp([INIT, END], 'run-2').at(-1) as TranscriptRecord
    expect(await verify([...RECORDS.slice(0, 6), other])).toMatchObject({ hasEnd: false, run: 'run-1' })
  })
})

describe('what the reader says', () => {
  it('is no problem where it does no harm: line ends of another system, an empty line, a byte order mark', async () => {
    const lines = RECORDS.map((record) => `${JSON.stringify(record)}\r`)
    expect(await verify([`\ufeff${lines[0]}`, ...lines.slice(1, 4), '', ...lines.slice(4)])).toMatchObject({
      isIntact: true,
      problems: [],
    })
  })

  it('shows the hash that a line has by its beginning', async () => {
    const { problems } = await verify(RECORDS.with(4, { ...RECORDS[4], ts: 'x' } as TranscriptRecord))
    expect(problems[0]?.reason).toMatch(/^prev is not the hash of the line before \(this line's is [0-9a-f]{12}…\)$/)
  })
})

describe('bodies', () => {
  const withBlobs = (...names: readonly string[]) =>
    stamp([
      { ...INIT, blobs: names.map((name) => ({ path: ['prompt'], sha256: name, bytes: 1 })) } as unknown as RunEvent,
      END,
    ])
  const withOutcome = (blob: string) => {
    const { events, say } = buildEvents()
    say([{ type: 'tool_use', id: 'a', name: 'Read', input: {} }])
    const content = [{ type: 'tool_result', tool_use_id: 'a', content: 'cut' }]
    const outcome = { tool_use_id: 'a', tool_name: 'Read', outcome: 'ok', duration_ms: 1, blob }
    const plain = { tool_use_id: 'b', tool_name: 'Read', outcome: 'ok', duration_ms: 1 }
    const user = { type: 'user', parent_tool_use_id: null, message: { role: 'user', content } }
    return stamp([INIT, ...events, { ...user, tool_use_result: [outcome, plain] } as unknown as RunEvent, END])
  }
  const name = sha256('body')

  it('are there with the text that the record names', async () => {
    expect(await verify(withBlobs(name), { [name]: 'body' })).toMatchObject({ isIntact: true })
    expect(await verify(withOutcome(`/tmp/kode-run/blobs/${name}`), { [name]: 'body' })).toMatchObject({
      isIntact: true,
    })
  })

  it.each([
    ['of a record', withBlobs(name), 1],
    ['of a result', withOutcome(`/tmp/kode-run/blobs/${name}`), 3],
  ])('%s: missing, changed', async (_, records, seq) => {
    const missing = { seq, line: seq, reason: `the body blobs/${name} is missing` }
    expect(await verify(records)).toMatchObject({ isIntact: false, isUnfinished: false, problems: [missing] })
    const changed = { seq, line: seq, reason: `the body blobs/${name} was changed` }
    expect(await verify(records, { [name]: 'other' })).toMatchObject({ problems: [changed] })
  })

  it('have names that lead nowhere else', async () => {
    for (const odd of ['../t.jsonl', `${name}x`, `x${name}`]) {
      const { problems } = await verify(withBlobs(odd), { [`${name}x`]: 'body', [`x${name}`]: 'body' })
      expect(problems.map(({ reason }) => reason)).toEqual([`the body blobs/${odd} is missing`])
    }
  })
})

describe('a line', () => {
  const whole = { v: 1, run: 'r', seq: 1, prev: '', type: 'system', subtype: 'warning' }
  const message = { type: 'assistant', message: { content: [] } }
  const NO_RECORD = 'the line is JSON, but not a record of a run'

  async function itemsOf(line: string | Buffer) {
    const path = join(makeFolder(), 't.jsonl')
    writeFileSync(path, line)
    const items: string[] = []
    for await (const item of readTranscript(path)) items.push(item.kind === 'record' ? 'record' : item.reason)
    return items
  }

  it.each<[string, unknown]>([
    ['a record', whole],
    ['of an unknown type', { ...whole, type: 'later' }],
    ['a message', { ...whole, ...message }],
    ['said by the user', { ...whole, ...message, type: 'user' }],
  ])('is %s', async (_, value) => {
    expect(await itemsOf(JSON.stringify(value))).toEqual(['record'])
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'record'],
    ['a number', 7],
    ['without a type', { ...whole, type: undefined }],
    ['with a type that is no text', { ...whole, type: 7 }],
    ['without a run', { ...whole, run: undefined }],
    ['without a number', { ...whole, seq: undefined }],
    ['with half a number', { ...whole, seq: 1.5 }],
    ['without the line before', { ...whole, prev: 7 }],
    ['without a version', { ...whole, v: undefined }],
    ['with a version that is no number', { ...whole, v: '1' }],
    ['an answer without a message', { ...whole, type: 'assistant' }],
    ['an answer with null for one', { ...whole, type: 'assistant', message: null }],
    ['an answer with a text for one', { ...whole, type: 'assistant', message: 'content' }],
    ['an answer without content', { ...whole, type: 'assistant', message: {} }],
    ['an answer with a text as content', { ...whole, type: 'assistant', message: { content: 'x' } }],
    ['a user message without content', { ...whole, type: 'user', message: {} }],
  ])('is no record: %s', async (_, value) => {
    expect(await itemsOf(JSON.stringify(value))).toEqual([NO_RECORD])
  })

  it('may not begin with a byte order mark, but for the first', async () => {
    expect(await itemsOf(`\ufeff${JSON.stringify(whole)}\n`)).toEqual([
      'the file begins with a byte order mark',
      'record',
    ])
    expect(await itemsOf(`${JSON.stringify(whole)}\n\ufeff${JSON.stringify(whole)}\n`)).toEqual([
      'record',
      'the line is not whole JSON',
    ])
  })

  it('ends as it likes: the first odd end is told once, and an empty line', async () => {
    const line = JSON.stringify(whole)
    expect(await itemsOf(`${line}\r\n\n${line}\r\n`)).toEqual([
      'lines end in CR LF',
      'record',
      'an empty line',
      'record',
    ])
  })

  it('cannot be read from what is no file: with the reason', async () => {
    await expect(itemsOfMissing(join(tmpdir(), 'missing-folder/t.jsonl'))).rejects.toMatchObject({
      message: expect.stringMatching(/^the transcript .*\/missing-folder\/t\.jsonl does not exist$/),
      cause: { code: 'ENOENT' },
    })
    await expect(itemsOfMissing(tmpdir())).rejects.toThrow(`the transcript ${tmpdir()} is not a regular file`)
  })
})

async function itemsOfMissing(path: string): Promise<void> {
  for await (const _ of readTranscript(path)) throw new Error('there is nothing to read')
}
