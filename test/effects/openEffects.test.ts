import { chmodSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/contracts/commands.ts'
import { withRenameNote } from '../../src/effects/openEffects.ts'
import { isReady, makeCheckout, missing, namesOf, open, useCheckouts } from './checkoutEffects.ts'

useCheckouts()

describe.skipIf(!isReady)(`a command as a transaction${missing}`, () => {
  it('keeps modes and times, and applies a pure mode change', async () => {
    const root = makeCheckout()
    chmodSync(join(root, 'src/a'), 0o640)
    const inode = lstatSync(join(root, 'src/b')).ino
    const { run } = await open({ roots: [root] })
    const { report } = await run(
      'echo new > src/a; chmod 755 src/b; echo 1 > src/c; chmod 600 src/c; touch -d 2001-02-03T04:05:06Z src/c; mkdir -m 750 src/n',
    )
    expect(namesOf(root, report).kept).toEqual(['created src/c', 'created src/n', 'mode src/b', 'modified src/a'])
    const mode = (path: string) => (lstatSync(join(root, path)).mode & 0o7777).toString(8)
    expect(['src/a', 'src/b', 'src/c', 'src/n'].map(mode)).toEqual(['640', '755', '600', '750'])
    expect(lstatSync(join(root, 'src/b')).ino).toBe(inode)
    expect(lstatSync(join(root, 'src/c')).mtime.toISOString()).toBe('2001-02-03T04:05:06.000Z')
  })

  it('reads the view only after all writers have ended', { tags: 'long' }, async () => {
    const root = makeCheckout()
    const { run } = await open({ roots: [root] })
    for (let round = 0; round < 5; round++) {
      const script = `setsid bash -c 'i=0; while :; do i=$((i+1)); echo $i > src/a; done' >/dev/null 2>&1 & sleep 0.05`
      await run(script)
      const text = readFileSync(join(root, 'src/a'), 'utf8')
      expect(text).toMatch(/^\d+\n$|^$|^src\/a\n$/)
    }
  })
})

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
