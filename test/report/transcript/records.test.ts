import { execFileSync } from 'node:child_process'
import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RunEvent, TranscriptRecord } from '../../../src/contracts/events.ts'
import { hashOfLine } from '../../../src/report/transcript/hashOfLine.ts'
import { readTranscript } from '../../../src/report/transcript/readTranscript.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { buildEvents, INIT, sampleRun, stamp } from '../../helpers/runs/events.ts'

type Line = TranscriptRecord | object | string
/** The lines of a file, or its bytes; what lies beside it, and which head was noted. */
type Case = {
  readonly lines?: readonly Line[]
  readonly bytes?: string | Buffer
  readonly blobs?: Readonly<Record<string, string>>
  readonly head?: string
}

const RECORDS = stamp(sampleRun())
const LINES = RECORDS.map((record) => JSON.stringify(record))
const WHOLE = `${LINES.join('\n')}\n`
const END = sampleRun().at(-1) as RunEvent
const HEAD = hashOfLine(LINES.at(-1) ?? '')
const [FIRST] = RECORDS as [TranscriptRecord]
const KILLED = RECORDS.slice(0, 8)
const CUT = `${LINES.slice(0, 8).join('\n')}\n`

/** A line of another kind after the third record. */
const middle = (bad: string | Buffer): Case => ({
  bytes: Buffer.concat([
    Buffer.from(`${LINES.slice(0, 3).join('\n')}\n`),
    Buffer.from(bad),
    Buffer.from(`\n${LINES.slice(3).join('\n')}\n`),
  ]),
})
const run = (...events: readonly unknown[]): Case => ({ lines: stamp([...events] as RunEvent[]) })
const asks = (id: string, owner: string | null = null, tool = 'Read') => {
  const { events, say } = buildEvents()
  say([{ type: 'tool_use', id, name: tool, input: {} }], owner)
  return events
}
const user = (...content: readonly object[]) => {
  return { type: 'user', parent_tool_use_id: null, message: { role: 'user', content } }
}
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })
const main = { type: 'system', parent_tool_use_id: null }
const intent = (id: string) => ({
  ...{ ...main, subtype: 'tool_intent', tool_use_id: id, tool_name: 'Read', tool_input: {} },
  ...{ is_read_only: true, activity: 'Reading' },
})
const outcome = { tool_use_id: 'early', tool_name: 'Read', outcome: 'ok', duration_ms: 1 }
const discards = (more: object = {}) => {
  return { ...main, subtype: 'turn_discarded', reason: 'cut', blocks: 1, early: [], ...more }
}
const early = discards({ early: [outcome] })
const resumed = { ...INIT, resumed_from: { run: 'run-0', seq: 9 } }

const BODY = hashOfLine('body')
const withBlob = (name: string) => run({ ...INIT, blobs: [{ path: ['prompt'], sha256: name, bytes: 1 }] }, END)
const withOutcome = run(
  INIT,
  ...asks('a'),
  { ...user(result('a')), tool_use_result: [{ ...outcome, blob: `/tmp/kode-run/blobs/${BODY}` }, outcome] },
  END,
)

/** Nothing is wrong with these, whatever system wrote them. */
const INTACT: Readonly<Record<string, Case>> = {
  'a whole record': { lines: RECORDS },
  'its own head': { lines: RECORDS, head: HEAD },
  'a head on the way': { lines: RECORDS, head: hashOfLine(LINES[3] ?? '') },
  'no last line end': { bytes: WHOLE.slice(0, -1) },
  'a byte order mark': { bytes: `\ufeff${WHOLE}` },
  'CR LF': { bytes: WHOLE.replaceAll('\n', '\r\n') },
  'an empty line': middle(''),
  'all of these': { bytes: `\ufeff${WHOLE.replaceAll('\n', '\r\n')}\r\n\n` },
  'no call': run(INIT, END),
  'two results in a message, and what a hook says': run(
    INIT,
    ...asks('a'),
    ...asks('b'),
    user(result('a'), result('b'), { type: 'text', text: 'a hook says' }),
    END,
  ),
  'a call that started early, of an answer that was discarded': run(INIT, intent('early'), early, END),
  'a call of an answer that was discarded': run(INIT, ...asks('void'), discards(), END),
  'a resumed run that begins with results': run(resumed, user(result('old')), END),
  'a body of a record': { ...withBlob(BODY), blobs: { [BODY]: 'body' } },
  'a body of a result': { ...withOutcome, blobs: { [BODY]: 'body' } },
}

/** Of a run that was killed, or that goes on. */
const UNFINISHED: Readonly<Record<string, Case>> = {
  'the first record alone': { lines: [FIRST] },
  'all but the end record': { lines: RECORDS.slice(0, -1) },
  'an open call': { lines: KILLED },
  'an open call of a run whose disk was full': run(INIT, ...asks('a'), { ...END, exit_reason: 'io_error' }),
  'a torn last line': { lines: [...KILLED, '{"v":1,"ru'] },
  'a tail of NUL bytes': { bytes: `${CUT}${'\0'.repeat(4_096)}` },
  'a torn line and NUL bytes': { bytes: `${CUT}{"v":1${'\0'.repeat(512)}` },
  'a torn character': { bytes: Buffer.concat([Buffer.from(`${CUT}{"a":"`), Buffer.from([0xc3])]) },
}

const stamped = { v: 1, run: 'r', seq: 1, prev: '', type: 'system', subtype: 'warning' }
const message = { ...stamped, type: 'assistant', message: { content: [] } }
/** One line each; the first four are records. */
const ALONE: Readonly<Record<string, unknown>> = {
  'a record': stamped,
  'of an unknown type': { ...stamped, type: 'later' },
  'an answer': message,
  'said by the user': { ...message, type: 'user' },
  null: null,
  'a text': 'record',
  'a number': 7,
  'no type': { ...stamped, type: undefined },
  'a type that is no text': { ...stamped, type: 7 },
  'no run': { ...stamped, run: undefined },
  'no number': { ...stamped, seq: undefined },
  'half a number': { ...stamped, seq: 1.5 },
  'no line before': { ...stamped, prev: 7 },
  'no version': { ...stamped, v: undefined },
  'a version that is no number': { ...stamped, v: '1' },
  'a later version': { ...stamped, v: 9 },
  'an answer without a message': { ...message, message: undefined },
  'an answer with null for one': { ...message, message: null },
  'an answer with a text for one': { ...message, message: 'content' },
  'an answer without content': { ...message, message: {} },
  'an answer with a text as content': { ...message, message: { content: 'x' } },
  'a user message without content': { ...message, type: 'user', message: {} },
}

/** Nothing but a change of the file explains these. */
const CHANGED: Readonly<Record<string, Case>> = {
  nothing: { lines: [] },
  notes: { lines: ['my notes', 'of today'] },
  'a record that was edited': {
    lines: RECORDS.with(4, { ...RECORDS[4], ts: '2026-01-01T00:00:00.000Z' } as TranscriptRecord),
  },
  'a record that was removed': { lines: RECORDS.toSpliced(4, 1) },
  'a record that was doubled': { lines: RECORDS.toSpliced(4, 0, RECORDS[4] ?? ('' as never)) },
  'a record that was put elsewhere': { lines: RECORDS.toSpliced(4, 2, ...RECORDS.slice(4, 6).toReversed()) },
  'no start': { lines: RECORDS.slice(2) },
  'no start and no end': { lines: RECORDS.slice(1, 6) },
  'a first record after another': { lines: [{ ...FIRST, prev: 'f'.repeat(64) }] },
  'a noted head of which nothing is left': { lines: KILLED, head: HEAD },
  'a forged end': { ...run(...sampleRun({ detail: 'all is well' })), head: HEAD },
  'a record after its end': run(...sampleRun(), INIT),
  'the end of another run': { lines: [...RECORDS.slice(0, 6), ...stamp([INIT, END], 'run-2').slice(1)] },
  'a record of another run in the middle': { lines: RECORDS.toSpliced(3, 0, ...stamp([INIT], 'run-2')) },
  'damage in the middle and at the end': { lines: [...RECORDS.slice(0, 3), 'garbage', ...RECORDS.slice(3), '{"v":1'] },
  'a torn line after its end': { bytes: `${WHOLE}{"v":1,"run":"ru` },
  'a call without a result': run(INIT, ...asks('lost'), END),
  'results without a call': run(INIT, user(result('stray'), result('other')), END),
  'a result first of all': run(user(result('stray')), END),
  'a call that started early and was not discarded': run(INIT, intent('early'), intent('lost'), early, END),
  'a call beside a discarded answer of its agent': run(
    INIT,
    ...asks('main', null, 'Agent'),
    ...asks('inner', 'main'),
    discards({ parent_tool_use_id: 'main' }),
    END,
  ),
  'a body of a record that is missing': withBlob(BODY),
  'a body of a record that was changed': { ...withBlob(BODY), blobs: { [BODY]: 'other' } },
  'a body of a result that is missing': withOutcome,
  'a body of a result that was changed': { ...withOutcome, blobs: { [BODY]: 'other' } },
  'a body elsewhere': withBlob('../t.jsonl'),
  'a body with a longer name': { ...withBlob(`${BODY}x`), blobs: { [`${BODY}x`]: 'body' } },
  'a body with another start': { ...withBlob(`x${BODY}`), blobs: { [`x${BODY}`]: 'body' } },
  'half a record in the middle': middle((LINES[3] ?? '').slice(0, 80)),
  'two records on a line': middle(`${LINES[3]}${LINES[4]}`),
  'NUL bytes in the middle': middle('\0\0\0'),
  'bytes that are no UTF-8 in the middle': middle(Buffer.from([0x22, 0xff, 0x22])),
  'a byte order mark in the middle': middle(`\ufeff${LINES[3]}`),
  'a line that is longer than any record': middle(JSON.stringify({ long: 'x'.repeat(500_000) })),
  'much garbage': { lines: Array.from({ length: 500 }, () => 'garbage') },
}

function fileOf({ lines = [], bytes, blobs = {} }: Case): string {
  const folder = makeFolder()
  mkdirSync(join(folder, 'blobs'))
  for (const [name, text] of Object.entries(blobs)) writeFileSync(join(folder, 'blobs', name), text)
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  writeFileSync(join(folder, 't.jsonl'), bytes ?? text)
  return join(folder, 't.jsonl')
}

/** Numbers in a row by the first and the last. */
const short = (numbers: readonly number[]) =>
  numbers.every((number, index) => number === (numbers[0] ?? 0) + index) && numbers.length > 2
    ? `${numbers[0]}–${numbers.at(-1)}`
    : numbers.join(' ')

/** What the reader finds: the numbers of records, and each damage. */
async function read(path: string): Promise<readonly string[]> {
  const seqs: number[] = []
  const damages: string[] = []
  for await (const item of readTranscript(path, { longestLine: 100_000 })) {
    if (item.kind === 'record') seqs.push(item.record.seq)
    else damages.push(`${item.severity}, line ${item.line}, byte ${item.offset}: ${item.reason}`)
  }
  const left = damages.length - 5
  return [`reads ${short(seqs) || 'nothing'}`, ...damages.slice(0, 5), ...(left > 0 ? [`and ${left} more`] : [])]
}

async function verified(path: string, head: string | undefined) {
  const { problems, isIntact, isUnfinished, run, records, calls, hasEnd } = await verifyTranscript(path, head)
  const told = problems.map(({ seq, line, reason }) => `record ${seq}, line ${line}: ${reason}`)
  const facts = `${records} records of ${run}, ${calls} calls, ${hasEnd ? 'with' : 'without'} an end`
  const left = told.length - 5
  const lines = [`verifies ${facts}`, ...told.slice(0, 5), ...(left > 0 ? [`and ${left} more`] : [])]
  return { lines, state: isIntact ? 'intact' : isUnfinished ? 'unfinished' : 'changed' }
}

// Read it as somebody who has to trust a record: `npx vitest run test/report/transcript/records.test.ts -u` writes it.
it('reads and verifies each record, and says what is wrong with it', async () => {
  const told: string[] = []
  for (const [state, cases] of Object.entries({ intact: INTACT, unfinished: UNFINISHED, changed: CHANGED })) {
    for (const [name, each] of Object.entries(cases)) {
      const path = fileOf(each)
      const seen = await verified(path, each.head)
      expect([name, seen.state]).toEqual([name, state])
      const lines = [...(await read(path)), ...seen.lines]
      told.push(`== ${state}: ${name}`, ...lines.map((line) => `  ${line}`), '')
    }
  }
  for (const [name, value] of Object.entries(ALONE)) {
    const items = await read(fileOf({ bytes: JSON.stringify(value) }))
    told.push(`${name}: ${items.join('; ')}`)
  }
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('golden/records.txt')
})

it.each([
  ['missing', () => join(makeFolder(), 'missing/t.jsonl'), /^the transcript .*\/missing\/t\.jsonl does not exist$/],
  ['a folder', () => tmpdir(), /^the transcript .* is not a regular file$/],
  [
    'a FIFO',
    () => {
      const path = join(makeFolder(), 'fifo')
      execFileSync('mkfifo', [path])
      return path
    },
    /is not a regular file$/,
  ],
])('refuses what is no file: %s', async (name, make, message) => {
  const why = { reason: 'bad_input', message: expect.stringMatching(message) }
  await expect(read(make())).rejects.toMatchObject(name === 'missing' ? { ...why, cause: { code: 'ENOENT' } } : why)
})

it('needs no more memory for a large file than for a small one', { tags: 'long' }, async () => {
  const path = fileOf({ bytes: WHOLE })
  const file = openSync(path, 'a')
  const block = Buffer.from(WHOLE.repeat(40))
  for (let size = 0; size < 64 * 1024 * 1024; size += block.length) writeSync(file, block)
  closeSync(file)
  appendFileSync(path, `${'y'.repeat(40 * 1024 * 1024)}\n`)
  const before = process.memoryUsage.rss()
  let most = before
  let count = 0
  for await (const _ of readTranscript(path))
    if (++count % 1_000 === 0) most = Math.max(most, process.memoryUsage.rss())
  expect(count).toBeGreaterThan(10_000)
  expect((most - before) / 1024 / 1024).toBeLessThan(100)
})
