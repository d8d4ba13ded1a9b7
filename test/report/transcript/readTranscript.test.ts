import { execFileSync } from 'node:child_process'
import { appendFileSync, closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Damage, readTranscript } from '../../../src/report/transcript/readTranscript.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { sampleRun, stamp } from '../../helpers/runs/events.ts'

const LINES = stamp(sampleRun()).map((record) => JSON.stringify(record))
const WHOLE = `${LINES.join('\n')}\n`

function fileOf(content: string | Buffer): string {
  const path = join(makeFolder(), 't.jsonl')
  writeFileSync(path, content)
  return path
}

async function read(path: string, longestLine?: number): Promise<{ seqs: number[]; damages: Omit<Damage, 'kind'>[] }> {
  const seqs: number[] = []
  const damages: Omit<Damage, 'kind'>[] = []
  for await (const item of readTranscript(path, longestLine === undefined ? {} : { longestLine })) {
    if (item.kind === 'record') seqs.push(item.record.seq)
    else damages.push({ severity: item.severity, line: item.line, offset: item.offset, reason: item.reason })
  }
  return { seqs, damages }
}

const all = LINES.map((_, index) => index + 1)
const offsetOf = (line: number): number => Buffer.byteLength(LINES.slice(0, line - 1).join('\n')) + (line > 1 ? 1 : 0)

describe('an intact file', () => {
  it('yields every record and no damage', async () => {
    expect(await read(fileOf(WHOLE))).toEqual({ seqs: all, damages: [] })
    expect(await read(fileOf(LINES.join('\n')))).toEqual({ seqs: all, damages: [] })
    expect(await read(fileOf(''))).toEqual({ seqs: [], damages: [] })
  })

  it('keeps records of unknown types', async () => {
    const unknown = JSON.stringify({ ...JSON.parse(LINES[0] ?? ''), type: 'rate_limit_event', subtype: undefined })
    expect((await read(fileOf(`${unknown}\n`))).seqs).toEqual([1])
  })
})

describe('damage', () => {
  const middle = (bad: string | Buffer): Buffer => {
    const before = Buffer.from(`${LINES.slice(0, 3).join('\n')}\n`)
    const after = Buffer.from(`\n${LINES.slice(3).join('\n')}\n`)
    return Buffer.concat([before, Buffer.from(bad), after])
  }

  it.each([
    ['a torn last line', `${WHOLE}{"v":1,"run":"ru`, 'the line is not whole JSON'],
    ['a tail of NUL bytes', `${WHOLE}${'\0'.repeat(4_096)}`, 'the line has NUL bytes'],
    ['a torn line and NUL bytes', `${WHOLE}{"v":1${'\0'.repeat(512)}`, 'the line has NUL bytes'],
    [
      'a torn line in the middle of a character',
      Buffer.concat([Buffer.from(`${WHOLE}{"a":"`), Buffer.from([0xc3])]),
      'the line is not UTF-8',
    ],
  ])('%s is the tail of a killed run', async (_, content, reason) => {
    const { seqs, damages } = await read(fileOf(content))
    expect(seqs).toEqual(all)
    expect(damages).toEqual([{ severity: 'tail', line: LINES.length + 1, offset: Buffer.byteLength(WHOLE), reason }])
  })

  it.each([
    ['garbage', 'garbage', 'the line is not whole JSON'],
    ['a half record', (LINES[3] ?? '').slice(0, 80), 'the line is not whole JSON'],
    ['two records on a line', `${LINES[3]}${LINES[4]}`, 'the line is not whole JSON'],
    ['NUL bytes', '\0\0\0', 'the line has NUL bytes'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'the line is not UTF-8'],
    ['other JSON', '{"type":"assistant"}', 'the line is JSON, but not a record of a run'],
    ['a number', '7', 'the line is JSON, but not a record of a run'],
    [
      'a message without content',
      '{"v":1,"run":"r","seq":1,"prev":"","type":"user","message":{}}',
      'the line is JSON, but not a record of a run',
    ],
    ['a later version', (LINES[3] ?? '').replace('"v":1', '"v":9'), 'a record of version 9; this reader knows 1'],
  ])('%s in the middle is reported where it stands', async (_, bad, reason) => {
    const { seqs, damages } = await read(fileOf(middle(bad)))
    expect(seqs).toEqual(all)
    expect(damages).toEqual([{ severity: 'middle', line: 4, offset: offsetOf(4), reason }])
  })

  it('tolerates an empty line, CRLF and a byte order mark', async () => {
    expect(await read(fileOf(middle('')))).toMatchObject({ seqs: all, damages: [{ severity: 'harmless', line: 4 }] })
    expect(await read(fileOf(WHOLE.replaceAll('\n', '\r\n')))).toMatchObject({
      seqs: all,
      damages: [{ severity: 'harmless', line: 1 }],
    })
    expect(await read(fileOf(`\ufeff${WHOLE}`))).toMatchObject({
      seqs: all,
      damages: [{ severity: 'harmless', line: 1 }],
    })
  })

  it('detects two runs in one file', async () => {
    const other = stamp(sampleRun(), 'run-2').map((record) => JSON.stringify(record))
    const mixed = LINES.flatMap((line, index) => [line, other[index] ?? ''])
    const { seqs, damages } = await read(fileOf(`${mixed.join('\n')}\n`))
    expect(seqs).toEqual(all.flatMap((seq) => [seq, seq]))
    expect(damages).toHaveLength(LINES.length)
    expect(damages[0]).toMatchObject({ severity: 'middle', line: 2, reason: 'a record of another run, run-2' })
  })

  it('skips and reports a line longer than any record', async () => {
    const { seqs, damages } = await read(fileOf(middle(JSON.stringify({ long: 'x'.repeat(500_000) }))), 100_000)
    expect(seqs).toEqual(all)
    expect(damages).toMatchObject([
      { severity: 'middle', line: 4, reason: expect.stringContaining('longer than any record') },
    ])
  })
})

describe('unreadable files', () => {
  it.each([
    ['missing', () => join(makeFolder(), 'missing/t.jsonl')],
    ['a folder', () => makeFolder()],
    [
      'a FIFO',
      () => {
        const path = join(makeFolder(), 'fifo')
        execFileSync('mkfifo', [path])
        return path
      },
    ],
  ])('%s', async (_, make) => {
    await expect(read(make())).rejects.toMatchObject({ reason: 'bad_input' })
  })
})

it('needs no more memory for a large file than for a small one', { tags: 'long' }, async () => {
  const path = fileOf(WHOLE)
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
