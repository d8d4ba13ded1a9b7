import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import { openTranscript, type TranscriptOptions } from '../../../src/report/transcript/transcript.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { endOf, INIT } from '../../helpers/runs/events.ts'
import { recordFiles } from '../../helpers/runs/recordFiles.ts'

const warning: RunEvent = { type: 'system', subtype: 'warning', code: 'test', message: 'a' }
const intent = (isReadOnly: boolean): RunEvent => ({
  ...{ type: 'system', subtype: 'tool_intent', parent_tool_use_id: null, tool_use_id: 't', tool_name: 'Bash' },
  ...{ tool_input: {}, is_read_only: isReadOnly, activity: 'Running' },
})
const boundary = { type: 'system', subtype: 'compact_boundary' } as unknown as RunEvent
const said = { type: 'user', parent_tool_use_id: null, message: { role: 'user', content: [] } } as unknown as RunEvent
const end = endOf([INIT])

const open = (path: string, more: Partial<TranscriptOptions> = {}) =>
  openTranscript({ place: { path }, run: 'r', sessionId: 's', redactor: createRedactor({ secrets: [] }), ...more })

function errorOf(act: () => unknown): RunError {
  try {
    act()
  } catch (error) {
    if (error instanceof RunError) return error
  }
  throw new Error('it threw no RunError')
}

/** A transcript on a disk whose calls are noted, and which may fail. */
function onDisk(more: Partial<TranscriptOptions> = {}) {
  const path = join(makeFolder(), 't.jsonl')
  return { ...recordFiles(dirname(path)), ...open(path, more) }
}

const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n')

describe('what survives the machine', () => {
  it('is the name of the file: its folder is synced when the file is made', () => {
    const { calls } = onDisk()
    expect(calls).toEqual(['open t.jsonl', 'open .', 'fsync .', 'close .'])
  })

  it.each([
    ['the first record', INIT, true],
    ['the intent of a call that changes something', intent(false), true],
    ['the intent of a call that reads', intent(true), false],
    ['the place where the conversation was shortened', boundary, true],
    ['the end', end, true],
    ['a warning', warning, false],
    ['what was said', said, false],
  ])('%s: %#', (_, event, isSynced) => {
    const folder = makeFolder()
    const path = join(folder, 't.jsonl')
    const { append } = open(path)
    // The file was opened before: what follows names it by its number alone.
    const recorded = recordFiles(folder)
    const other = open(join(folder, 'u.jsonl'))
    const before = recorded.calls.length
    append(event)
    other.append(event)
    expect(recorded.calls.slice(before)).toEqual(['write u.jsonl', ...(isSynced ? ['fdatasync u.jsonl'] : [])])
    expect(lines(path)).toHaveLength(1)
  })

  it('is a body before the record that names it', () => {
    const { append, calls } = onDisk({ longestLine: 10_000 })
    append({ ...warning, message: 'x'.repeat(50_000) } as RunEvent)
    expect(calls.slice(-4)).toEqual(['open blobs', 'fsync blobs', 'close blobs', 'write t.jsonl'])
  })

  it('is nothing of progress, which is not written', () => {
    const { append, close, calls } = onDisk()
    const before = calls.length
    append({ ...intent(false), subtype: 'tool_progress', text: 'half' } as unknown as RunEvent)
    close()
    expect(calls.slice(before)).toEqual(['close t.jsonl'])
  })
})

describe('a write that fails', () => {
  it.each(['torn', 'full'] as const)('(%s) leaves whole records, and is the last one', async (way) => {
    const { path, fail, append, appendLast } = onDisk()
    append(INIT)
    fail('t.jsonl', [way])
    const error = errorOf(() => append(warning))
    expect(error).toMatchObject({ reason: 'io_error', cause: expect.any(Error) })
    expect(error.message).toMatch(
      way === 'full'
        ? /^the transcript .*t\.jsonl cannot be written: ENOSPC/
        : /^the transcript .*t\.jsonl cannot be written: only \d+ of \d+ bytes were written \(disk full\?\)$/,
    )
    expect(lines(path)).toHaveLength(1)
    // There is room again, but a record is missing: nothing may follow as if nothing had been lost.
    expect(errorOf(() => append(warning))).toBe(error)
    expect(lines(path)).toHaveLength(1)
    appendLast(end)
    expect(await verifyTranscript(path)).toMatchObject({ isIntact: true, hasEnd: true, records: 2 })
  })

  it('is taken back before the end record, where bytes of it are left', async () => {
    const { path, fail, append, appendLast } = onDisk()
    append(INIT)
    fail('t.jsonl', ['full'])
    expect(() => append(warning)).toThrow('ENOSPC')
    // What a system that fails in the middle of a write may leave.
    writeFileSync(path, '{"v":1,"ru', { flag: 'a' })
    appendLast(end)
    expect(await verifyTranscript(path)).toMatchObject({ isIntact: true, hasEnd: true, records: 2 })
  })

  it('takes nothing back where none failed: what another process added is no matter of ours', () => {
    const { appendLast, calls } = onDisk()
    appendLast(end)
    expect(calls.filter((call) => call.startsWith('ftruncate'))).toEqual([])
  })
})

describe('a place where no transcript can be', () => {
  it('is named with the reason and its cause', () => {
    const folder = makeFolder()
    writeFileSync(join(folder, 'file'), '')
    const taken = errorOf(() => open(join(folder, 'file')))
    expect(taken).toMatchObject({ reason: 'cannot_create', cause: { cause: { code: 'EEXIST' } } })
    expect(taken).toHaveProperty('message', expect.stringMatching(/there already\. Name another .* --resume$/))
    const inFolder = (name: string) => errorOf(() => open('', { place: { folder: join(folder, name) } }))
    expect(inFolder('file/x')).toMatchObject({ reason: 'cannot_create', cause: { code: 'ENOTDIR' } })
    expect(inFolder('file/x').message).toMatch(/cannot be created: .*; name another place with --transcript$/)
    expect(errorOf(() => open(join(folder, 'missing/t.jsonl')))).toMatchObject({
      reason: 'cannot_create',
      message: expect.stringMatching(/cannot be created: there is no folder .*\/missing$/),
    })
    symlinkSync(makeFolder(), join(folder, 'link'))
    expect(inFolder('link').message).toMatch(/is a link; name the folder itself$/)
  })
})
