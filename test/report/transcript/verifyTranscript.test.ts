import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunEvent, TranscriptRecord } from '../../../src/contracts/events.ts'
import { type Verification, verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { buildEvents, INIT, sampleRun, stamp } from '../../helpers/runs/events.ts'

const RECORDS = stamp(sampleRun())
const HEAD = 'f'.repeat(64)

async function verify(lines: readonly (TranscriptRecord | string)[], head?: string): Promise<Verification> {
  const path = join(makeFolder(), 't.jsonl')
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return await verifyTranscript(path, head)
}

const verifyEvents = (events: readonly RunEvent[]): Promise<Verification> => verify(stamp(events))

describe('an unchanged record', () => {
  it('is intact, and has a head', async () => {
    const seen = await verify(RECORDS)
    expect(seen).toMatchObject({ isIntact: true, hasEnd: true, records: RECORDS.length, run: 'run-1' })
    expect(await verify(RECORDS, seen.head)).toMatchObject({ isIntact: true })
  })
})

describe('a changed record', () => {
  it.each([
    [
      'edited',
      (lines: TranscriptRecord[]) =>
        lines.with(4, { ...RECORDS[4], ts: '2026-01-01T00:00:00.000Z' } as TranscriptRecord),
      6,
      /prev is not the hash/,
    ],
    ['removed', (lines: TranscriptRecord[]) => lines.toSpliced(4, 1), 6, /number 6 where 5 was expected/],
    [
      'doubled',
      (lines: TranscriptRecord[]) => lines.toSpliced(4, 0, RECORDS[4] as TranscriptRecord),
      5,
      /number 5 where 6 was expected/,
    ],
    [
      'put elsewhere',
      (lines: TranscriptRecord[]) =>
        lines.toSpliced(4, 2, RECORDS[5] as TranscriptRecord, RECORDS[4] as TranscriptRecord),
      6,
      /number 6 where 5 was expected/,
    ],
    ['cut from the start', (lines: TranscriptRecord[]) => lines.slice(2), 3, /number 3 where 1 was expected/],
  ])('%s: the first bad record is named', async (_, change, seq, reason) => {
    const seen = await verify(change([...RECORDS]))
    expect(seen.isIntact).toBe(false)
    expect(seen.problems[0]).toMatchObject({ seq, reason: expect.stringMatching(reason) })
  })

  it('cut at a line: the end record is missing, and a saved head shows even a forged end', async () => {
    const cut = RECORDS.slice(0, 8)
    expect(await verify(cut)).toMatchObject({
      isIntact: false,
      hasEnd: false,
      problems: [
        { seq: 9, reason: 'the end record is missing' },
        { seq: 9, reason: 'the call toolu_2 has no result' },
      ],
    })
    const whole = await verify(RECORDS)
    const forged = await verify(stamp(sampleRun({ detail: 'all is well' })), whole.head)
    expect(forged.problems.map(({ reason }) => reason)).toEqual([expect.stringContaining('noted head')])
  })

  it('continued after its end', async () => {
    const [first] = stamp(sampleRun())
    const seen = await verifyEvents([...sampleRun(), { ...INIT, ...{ v: first?.v } }])
    expect(seen.problems[0]).toMatchObject({ seq: RECORDS.length + 1, reason: 'a record after the end record' })
  })

  it('damaged in the middle and at the tail', async () => {
    const seen = await verify([...RECORDS.slice(0, 3), 'garbage', ...RECORDS.slice(3), '{"v":1'])
    expect(seen.problems).toMatchObject([{ seq: 4, line: 4 }, { seq: RECORDS.length + 1 }])
  })
})

describe('calls and results', () => {
  const main = { type: 'system', parent_tool_use_id: null } as const
  const end = sampleRun().at(-1) as RunEvent

  it('a call without result, a result without call', async () => {
    const { events, say } = buildEvents()
    say([{ type: 'tool_use', id: 'lost', name: 'Read', input: {} }])
    const stray = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'stray', content: 'x' }] } as const
    const seen = await verifyEvents([INIT, ...events, { type: 'user', parent_tool_use_id: null, message: stray }, end])
    expect(seen.problems.map(({ reason }) => reason)).toEqual([
      'the result stray has no call that waits for it',
      'the call lost has no result',
    ])
  })

  it('a call that started early is closed by its result, or with the answer that was discarded', async () => {
    const intent = (id: string) =>
      ({
        ...main,
        subtype: 'tool_intent',
        tool_use_id: id,
        tool_name: 'Read',
        tool_input: {},
        is_read_only: true,
        activity: 'Reading',
      }) as const
    const outcome = { tool_use_id: 'early', tool_name: 'Read', outcome: 'ok', duration_ms: 1 } as const
    const discarded = { ...main, subtype: 'turn_discarded', reason: 'cut', blocks: 1, early: [outcome] } as const
    expect(await verifyEvents([INIT, intent('early'), discarded, end])).toMatchObject({ isIntact: true })
    const seen = await verifyEvents([INIT, intent('early'), intent('lost'), discarded, end])
    expect(seen.problems.map(({ reason }) => reason)).toEqual(['the call lost has no result'])
  })

  it('a discarded answer leaves no call open; a resumed run answers calls of the run before', async () => {
    const { events, say } = buildEvents()
    say([{ type: 'tool_use', id: 'void', name: 'Read', input: {} }])
    const discarded = { ...main, subtype: 'turn_discarded', reason: 'cut', blocks: 1, early: [] } as const
    expect(await verifyEvents([INIT, ...events, discarded, end])).toMatchObject({ isIntact: true })
    const old = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'old', content: 'unknown' }] } as const
    const resumed = { ...INIT, resumed_from: { run: 'run-0', seq: 9 } }
    expect(await verifyEvents([resumed, { type: 'user', parent_tool_use_id: null, message: old }, end])).toMatchObject({
      isIntact: true,
    })
  })
})

it('reports a bounded number of problems', async () => {
  const lines = Array.from({ length: 500 }, () => 'garbage')
  expect((await verify(lines, HEAD)).problems.length).toBeLessThanOrEqual(100)
})
