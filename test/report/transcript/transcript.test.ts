import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { readBodies } from '../../../src/report/transcript/bodies.ts'
import { readTranscript } from '../../../src/report/transcript/readTranscript.ts'
import { openTranscript, type Transcript, type TranscriptOptions } from '../../../src/report/transcript/transcript.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { sampleRun } from '../../helpers/runs/events.ts'

const SECRET = 'Zq7-Kp2_vN4xW9tR1bY6mD3'

function openIn(folder: string, options: Partial<TranscriptOptions> = {}): Transcript {
  const redactor = createRedactor({ secrets: [{ name: 'KEY', value: SECRET }] })
  const place = { path: join(folder, 't.jsonl') }
  return openTranscript({ place, run: 'run-1', sessionId: 's-1', redactor, ...options })
}

async function itemsIn(path: string): Promise<unknown[]> {
  const items: unknown[] = []
  for await (const item of readTranscript(path)) items.push(item)
  return items
}

function reasonOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return error instanceof RunError ? `${error.reason}: ${error.message}` : String(error)
  }
  return 'no error'
}

const warning = (message: string): RunEvent => ({ type: 'system', subtype: 'warning', code: 'test', message })

describe('append', () => {
  it('writes one JSON line a record, numbered and chained', async () => {
    const transcript = openIn(makeFolder())
    const events = sampleRun()
    const records = events.map((event) => transcript.append(event))
    transcript.close()
    const lines = readFileSync(transcript.path, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(events.length)
    expect(lines.map((line) => JSON.parse(line))).toEqual(records)
    expect(records.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(transcript.head()).toBe(hash('sha256', lines.at(-1) ?? ''))
    expect(foldReport(records).head).toBe(transcript.head())
    expect(await verifyTranscript(transcript.path, transcript.head())).toMatchObject({
      isIntact: true,
      hasEnd: true,
      problems: [],
    })
  })

  it('redacts before hashing', () => {
    const transcript = openIn(makeFolder())
    const record = transcript.append(warning(`key ${SECRET}`))
    expect(record).toMatchObject({ message: 'key [REDACTED:KEY]' })
    expect(readFileSync(transcript.path, 'utf8')).not.toContain(SECRET.slice(0, 12))
  })

  it('never writes progress, and gives it no number', () => {
    const transcript = openIn(makeFolder())
    const call = { parent_tool_use_id: null, tool_use_id: 'a', tool_name: 'Bash' }
    const progress = { type: 'system', subtype: 'tool_progress', ...call, text: SECRET } as const
    expect(transcript.append(progress)).toMatchObject({ text: '[REDACTED:KEY]' })
    expect(readFileSync(transcript.path, 'utf8')).toBe('')
    expect(transcript.append(warning('one')).seq).toBe(1)
  })

  it('counts time by the monotonic clock', () => {
    let time = 5_000
    const transcript = openIn(makeFolder(), { monotonic: () => time, now: () => new Date(0) })
    time += 1_500
    expect(transcript.append(warning('one'))).toMatchObject({ mono_ms: 1_500, ts: '1970-01-01T00:00:00.000Z' })
  })

  it('keeps lone surrogates and Unicode line separators inside one line', () => {
    const transcript = openIn(makeFolder())
    transcript.append(warning('a\ud800b\u2028c\nd\r'))
    const lines = readFileSync(transcript.path, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '').message).toBe('a\ud800b\u2028c\nd\r')
  })
})

describe('bodies', () => {
  it('moves long bodies to blobs, and restores them', async () => {
    const transcript = openIn(makeFolder(), { longestLine: 20_000 })
    const long = `${'line of a long result\n'.repeat(5_000)}end`
    const event: RunEvent = {
      type: 'user',
      parent_tool_use_id: null,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: long }] },
    }
    const record = transcript.append(event)
    transcript.close()
    expect(readFileSync(transcript.path, 'utf8').length).toBeLessThan(20_000)
    expect(record.blobs).toHaveLength(1)
    expect(JSON.stringify(record)).toContain('whole text in blobs/')
    const blobs = join(dirname(transcript.path), 'blobs')
    const whole = readBodies(record, (sha256) => readFileSync(join(blobs, sha256), 'utf8'))
    expect(whole).toMatchObject(event)
    expect(whole.blobs).toBeUndefined()
    const named = await verifyTranscript(transcript.path)
    expect(named.problems.map(({ reason }) => reason)).not.toContainEqual(expect.stringContaining('blobs/'))
    writeFileSync(join(blobs, record.blobs?.[0]?.sha256 ?? ''), 'other')
    const changed = await verifyTranscript(transcript.path)
    expect(changed.problems).toContainEqual({
      seq: 1,
      line: 1,
      reason: expect.stringMatching(/blobs\/\w+ was changed/),
    })
  })

  it('does not follow a path of a forged record into prototypes', () => {
    const record = openIn(makeFolder()).append(warning('one'))
    const forged = { ...record, blobs: [{ path: ['__proto__', 'polluted'], sha256: 'a'.repeat(64), length: 1 }] }
    expect(() => readBodies(forged, () => 'x')).toThrow(/no body at/)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('moves long lists to blobs, and every reader gets them whole', async () => {
    const transcript = openIn(makeFolder(), { longestLine: 20_000 })
    const long = `${'line\n'.repeat(2_000)}end`
    const kept = Array.from({ length: 3_000 }, (_, index) => ({ path: `src/${index}`, kind: 'created' as const }))
    const undone = { rule: null, source: null, line: null, path: 'x', kind: 'created', why: long } as const
    const event: RunEvent = {
      ...{ type: 'system', subtype: 'effects', parent_tool_use_id: null, tool_use_id: 't', tool_name: 'Bash' },
      ...{ state: 'enforced', kept, scratch: {}, left_out: [], undone: Array.from({ length: 60 }, () => undone) },
    }
    const record = transcript.append(event)
    expect(record).toMatchObject({ kept })
    expect(foldReport([record]).head).toBe(transcript.head())
    transcript.close()
    const line = readFileSync(transcript.path, 'utf8')
    expect(line.length).toBeLessThan(20_000)
    expect(JSON.parse(line).kept).toEqual(kept.slice(0, 50))
    const blobs = join(dirname(transcript.path), 'blobs')
    const read = (sha256: string) => readFileSync(join(blobs, sha256), 'utf8')
    expect(readBodies(JSON.parse(line), read)).toMatchObject(event)
    const [item] = await itemsIn(transcript.path)
    expect(item).toMatchObject({ kind: 'record', record: { kept } })
    for (const name of readdirSync(blobs)) writeFileSync(join(blobs, name), '[]')
    expect(await itemsIn(transcript.path)).toMatchObject([
      { kind: 'damage', reason: expect.stringMatching(/^a list is not whole: .* was changed$/) },
      { kind: 'record', record: { kept: kept.slice(0, 50) } },
    ])
  })

  it('opens no file but a blob for a list of a forged record, and waits for no writer', async () => {
    const transcript = openIn(makeFolder(), { longestLine: 3_000 })
    const tools = Array.from({ length: 900 }, (_, index) => `tool-${index}`)
    transcript.append({ type: 'system', subtype: 'tools_loaded', parent_tool_use_id: null, tools })
    transcript.close()
    const line = readFileSync(transcript.path, 'utf8')
    const sha256: string = JSON.parse(line).blobs[0].sha256
    const blob = join(dirname(transcript.path), 'blobs', sha256)
    writeFileSync(transcript.path, line.replace(sha256, '../../../../../../dev/zero'))
    expect(await itemsIn(transcript.path)).toMatchObject([{ kind: 'damage' }, { kind: 'record' }])
    writeFileSync(transcript.path, line)
    unlinkSync(blob)
    execFileSync('mkfifo', [blob])
    expect(await itemsIn(transcript.path)).toMatchObject([{ kind: 'damage' }, { kind: 'record' }])
  })

  it('fails for a record that is too long without a long text or list', () => {
    const scratch = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`folder-${index}`, 1]))
    const event: RunEvent = {
      ...{ type: 'system', subtype: 'effects', parent_tool_use_id: null, tool_use_id: 't', tool_name: 'Bash' },
      ...{ state: 'enforced', kept: [], scratch, left_out: [], undone: [] },
    }
    expect(reasonOf(() => openIn(makeFolder(), { longestLine: 10_000 }).append(event))).toMatch(/^io_error/)
  })
})

describe('the place', () => {
  it('is private to its owner, as is the folder that it creates', () => {
    const folder = join(makeFolder(), 'a', 'b')
    const { path } = openIn(folder, { place: { folder } })
    expect(path).toBe(join(folder, 'run-1.jsonl'))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['a file that is there', (path: string) => writeFileSync(path, '')],
    ['a link', (path: string) => symlinkSync('/tmp/elsewhere', path)],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
  ])('is refused if there is %s', (_, make) => {
    const folder = makeFolder()
    make(join(folder, 't.jsonl'))
    expect(reasonOf(() => openIn(folder))).toMatch(/^cannot_create: .*t\.jsonl/)
  })
})
