import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/contracts/commands.ts'
import { commandMarkdown, commandOutput, commandText } from '../../src/lib/commandOutput.ts'

const EMPTY = { text: '', bytes: 0, isTruncated: false }
const END: CommandResult = {
  exitCode: 0,
  signal: null,
  isTimedOut: false,
  isAborted: false,
  timeoutMs: 1000,
  stdout: EMPTY,
  stderr: EMPTY,
  durationMs: 1,
}

function text(change: Partial<CommandResult>, put: (text: string) => string = () => '/blob'): string {
  return commandText(commandOutput({ ...END, ...change }, put, undefined))
}

describe('commandOutput', () => {
  it.each([
    [{}, '(no output, exit code 0)'],
    [{ stdout: { ...EMPTY, text: 'a\n\n' } }, 'a'],
    [{ exitCode: 2 }, 'Exit code 2'],
    [{ exitCode: null, signal: 'SIGSEGV' }, 'Ended by SIGSEGV'],
    [{ exitCode: null, signal: 'SIGTERM', isAborted: true }, 'Ended: the run was interrupted.'],
    [{ exitCode: null, signal: 'SIGKILL', isOutputLimited: true }, 'Ended: it wrote more than can be kept.'],
    [{ exitCode: null, startError: 'ENOENT' }, '<stderr>\nThe command could not be started: ENOENT\n</stderr>'],
  ])('of %j reads', (change, expected) => {
    expect(text(change)).toBe(expected)
  })

  it('names the file that holds the whole, and puts one away where there is none yet', () => {
    const long = { text: 'x'.repeat(40_000), bytes: 40_000, isTruncated: false }
    const kept: string[] = []
    const put = (whole: string) => `/blob/${kept.push(whole)}`
    expect(text({ stdout: long }, put)).toContain('40000 bytes in all, kept in /blob/1')
    expect(kept).toEqual([long.text])
    const cut = { text: 'short', bytes: 9_000_000, isTruncated: true, blob: '/blob/whole' }
    expect(text({ stdout: { ...cut, text: 'x'.repeat(64_000) } }, put)).toContain(
      '9000000 bytes in all, kept in /blob/whole',
    )
    expect(kept).toHaveLength(1)
  })

  it('leaves room for stderr, and gives stdout what stderr does not need', () => {
    const stream = (letter: string, length: number) => ({
      text: letter.repeat(length),
      bytes: length,
      isTruncated: false,
    })
    const both = text({ stdout: stream('o', 50_000), stderr: stream('e', 50_000) })
    expect(both.match(/o/g)?.length).toBeGreaterThan(19_000)
    expect(both.match(/e/g)?.length).toBeGreaterThan(9_000)
    expect(both.length).toBeLessThan(30_500)
    expect(text({ stdout: stream('o', 5_000), stderr: stream('e', 25_000) })).toContain('e'.repeat(25_000))
  })
})

describe('commandMarkdown', () => {
  it('shows the last lines and counts the others', () => {
    const stdout = { ...EMPTY, text: Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n') }
    const output = commandOutput({ ...END, stdout }, () => '', undefined)
    expect(commandMarkdown('seq', output)).toMatch(
      /^```sh\nseq\n```\n```\n… 10 lines above\nline 10\n[\s\S]*line 29\n```$/,
    )
  })
})
