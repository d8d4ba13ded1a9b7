import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../../src/contracts/commands.ts'
import { commandMarkdown, commandOutput, commandText } from '../../../src/lib/process/commandOutput.ts'

const EMPTY = { text: '', bytes: 0, isTruncated: false }
const END: CommandResult = {
  ...{ exitCode: 0, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1000, durationMs: 1 },
  ...{ stdout: EMPTY, stderr: EMPTY },
}
const stream = (text: string, more: object = {}) => ({ text, bytes: text.length, isTruncated: false, ...more })

function text(change: Partial<CommandResult>, put: (text: string) => string = () => '/blob'): string {
  return commandText(commandOutput({ ...END, ...change }, { put, maxChars: 30_000 }, undefined))
}

describe('commandOutput', () => {
  it.each([
    [{}, '(no output, exit code 0)'],
    [{ stdout: { ...EMPTY, text: 'a\n\n' } }, 'a'],
    [{ exitCode: 2 }, 'Exit code 2'],
    [{ exitCode: null, signal: 'SIGSEGV' }, 'Ended by SIGSEGV'],
    [{ exitCode: null, signal: 'SIGTERM', isAborted: true }, 'Ended: the run was interrupted.'],
    [{ exitCode: null, signal: 'SIGKILL', isOutputLimited: true }, 'Ended: its output exceeded the limit.'],
    [{ exitCode: null, startError: 'ENOENT' }, '<stderr>\nThe command could not be started: ENOENT\n</stderr>'],
  ])('of %j reads', (change, expected) => {
    expect(text(change)).toBe(expected)
    const { isError } = commandOutput({ ...END, ...change }, { put: String, maxChars: 9 }, undefined)
    expect(isError).toBe('exitCode' in change)
  })

  const STORED = `${'\ufffd'.repeat(100)}GCC: 12.2\u0000\ufffd`
  it.each([
    ['\ufffd\u0001x'.repeat(500), undefined, 'write it to a file to keep it]\nThere is no text in it.'],
    [STORED, '/b', 'all of it is in /b]\nText in it:\nGCC: 12.2'],
  ])('that is binary is described, not shown: %j', (odd, blob, shown) => {
    const stdout = stream(odd, { bytes: 2_000_000, isTruncated: true, ...(blob && { blob }) })
    expect(text({ stdout })).toBe(`[binary output, 2000000 bytes: ${shown}`)
  })

  it.each([
    ['in another encoding', 'stra\ufffde, gr\ufffdn, sch\ufffdn und viel mehr davon '.repeat(50)],
    ['with a progress bar', `${'#'.repeat(50)}\r${'\b'.repeat(10)}done`],
    ['of a few odd bytes', '\ufffd'.repeat(20)],
  ])('that is a text stays one: %s', (_, odd) => {
    expect(text({ stdout: stream(odd) })).toBe(odd)
  })

  it('names the file with the full output, and creates it if needed', () => {
    const kept: string[] = []
    const put = (whole: string) => `/blob/${kept.push(whole)}`
    const long = 'x'.repeat(40_000)
    const shown = text({ stdout: stream(long) }, put)
    const advice = (place: string) => `the full text is in ${place}: Read parts of it, or Grep it …]`
    expect(shown).toContain(`[… 37200 characters left out; ${advice('/blob/1')}`)
    expect([shown.length < 4200, kept]).toEqual([true, [long]])
    const cut = stream('x'.repeat(64_000), { bytes: 9_000_000, isTruncated: true, blob: '/blob/whole' })
    expect(text({ stdout: cut }, put)).toContain(`[… 8997200 characters left out; ${advice('/blob/whole')}`)
    expect(kept).toHaveLength(1)
  })

  it('says of a longer output how much of it is stored', () => {
    const cut = stream('x'.repeat(64_000), { bytes: 90_000_000, isTruncated: true })
    expect(text({ stdout: { ...cut, blob: '/whole' } })).toContain('; its first 64 MiB are in /whole: Read')
    expect(text({ stdout: cut })).toContain('; its start and its end are in /blob: Read')
    const odd = { ...cut, text: '\ufffd\u0001x'.repeat(500), blob: '/whole' }
    expect(text({ stdout: odd })).toContain('[binary output, 90000000 bytes: its first 64 MiB are in /whole]')
  })

  it('shows short output unchanged, and head and tail of each long stream', () => {
    const shown = (out: number, err: number) =>
      text({ stdout: stream('o'.repeat(out)), stderr: stream('e'.repeat(err)) })
    expect(shown(5000, 25_000)).toBe(`${'o'.repeat(5000)}\n<stderr>\n${'e'.repeat(25_000)}\n</stderr>`)
    expect(shown(50_000, 50_000).length).toBeLessThan(8500)
    expect(shown(10, 31_000)).toMatch(/^o{10}\n<stderr>\ne+\n\[… 28200 characters left out[^…]*…\]\ne+\n<\/stderr>$/)
  })
})

describe('commandMarkdown', () => {
  it('shows the last lines and counts the rest', () => {
    const stdout = { ...EMPTY, text: Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n') }
    const output = commandOutput({ ...END, stdout }, { put: () => '', maxChars: 30_000 }, undefined)
    expect(commandMarkdown('seq', output)).toMatch(
      /^```sh\nseq\n```\n```\n… 10 lines above\nline 10\n[\s\S]*line 29\n```$/,
    )
  })
})
