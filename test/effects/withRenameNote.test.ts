import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/contracts/commands.ts'
import { withRenameNote } from '../../src/effects/withRenameNote.ts'

function result(text: string, exitCode: number | null): CommandResult {
  const nothing = { text: '', bytes: 0, isTruncated: false }
  const end = { signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1, durationMs: 1 }
  return { ...end, exitCode, stdout: nothing, stderr: { ...nothing, text, bytes: text.length } }
}

describe('withRenameNote', () => {
  it.each([
    ['git mv of a folder', "fatal: renaming 'src/lib' failed: Invalid cross-device link\n"],
    ['node renaming a folder', "Error: EXDEV: cross-device link not permitted, rename 'a' -> 'b'"],
  ])('says what to do instead of %s', (_, text) => {
    const { stderr } = withRenameNote(result(text, 128))
    expect(stderr.text).toContain('Use `mv OLD NEW`')
    expect(stderr.text.startsWith(text.trimEnd())).toBe(true)
  })

  it('says it even if the last program of the line succeeded: git mv a b; git status', () => {
    expect(withRenameNote(result('fatal: Invalid cross-device link', 0)).stderr.text).toContain('Use `mv OLD NEW`')
  })

  it.each([
    ['a\nEXDEV: cross-device link\n\n\n', 'a\nEXDEV: cross-device link\n'],
    ['\n  EXDEV: cross-device link', 'EXDEV: cross-device link\n'],
    ['EXDEV: cross-device link \n', 'EXDEV: cross-device link \n'],
  ])('is a line of its own behind %j, and counts among the bytes', (text, before) => {
    const { stderr } = withRenameNote(result(text, 1))
    expect(stderr.text).toMatch(/\nkode-run: a folder [^\n]*\n$/)
    expect(stderr.text.startsWith(`${before}kode-run: `)).toBe(true)
    expect(stderr.bytes).toBe(text.length + stderr.text.length - before.length)
  })

  it('is said where the words are on stdout, which stays', () => {
    const stdout = { text: 'Invalid cross-device link', bytes: 25, isTruncated: false }
    const noted = withRenameNote({ ...result('', 0), stdout })
    expect(noted.stderr.text.startsWith('kode-run: ')).toBe(true)
    expect(noted.stdout).toBe(stdout)
  })

  it('adds nothing to a command that failed for another reason', () => {
    expect(withRenameNote(result('No such file or directory', 1)).stderr.text).toBe('No such file or directory')
  })
})
