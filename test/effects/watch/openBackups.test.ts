import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openBackups } from '../../../src/effects/watch/openBackups.ts'
import { stampAt } from '../../../src/effects/watch/surveyFiles.ts'

function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'backups-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  const backups = openBackups(join(folder, 'backups'))
  const surveyed = (text: string) => {
    writeFileSync(file, text)
    const stamp = stampAt(file)
    return new Map(stamp === undefined ? [] : [[file, stamp]])
  }
  const stored = () => readdirSync(join(folder, 'backups')).sort()
  const held = () => readFileSync(backups.known.get(file)?.copy ?? '', 'utf8')
  const pack = join(folder, 'backups', 'pack')
  return { file, backups, surveyed, held, stored, pack }
}

it('rejects content that was written after the file was examined', async () => {
  const { file, backups, surveyed, held } = place()
  await backups.begin(surveyed('one'))
  const two = surveyed('two!')
  writeFileSync(file, 'three')
  backups.keep(two)
  expect(held()).toBe('one')
})

it('starts with the current content and its stamp', async () => {
  const { file, backups, surveyed, held } = place()
  const one = surveyed('one')
  writeFileSync(file, 'later')
  await backups.begin(one)
  expect([held(), backups.known.get(file)?.word]).toEqual(['later', stampAt(file)?.word])
})

it('keeps what it starts with in one file, and writes a copy with its mode when it is asked for', async () => {
  const { file, backups, surveyed, held, stored } = place()
  surveyed('#!/bin/sh\n')
  chmodSync(file, 0o751)
  await backups.begin(surveyed('#!/bin/sh\n'))
  expect(stored()).toEqual(['pack'])
  expect([held(), held()]).toEqual(['#!/bin/sh\n', '#!/bin/sh\n'])
  expect(stored()).toEqual(['0', 'pack'])
  expect(lstatSync(backups.known.get(file)?.copy ?? '').mode & 0o7777).toBe(0o751)
  backups.close()
})

it('leaves no descriptor open that leads a command to the contents', async () => {
  const { backups, surveyed, held, pack } = place()
  await backups.begin(surveyed('one'))
  const open = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return []
    }
  })
  expect(open).not.toContain(pack)
  expect(held()).toBe('one')
})

it.each<[string, (pack: string) => void]>([
  ['rewritten', (pack) => writeFileSync(pack, 'evil')],
  ['replaced', replaceFile],
  ['removed', (pack) => rmSync(pack)],
])('has no content to restore after a command has %s the stored ones', async (_, change) => {
  const { file, backups, surveyed, pack } = place()
  await backups.begin(surveyed('good'))
  change(pack)
  expect(backups.known.get(file)?.copy).toBeUndefined()
})

it.each([0, 1, 64 * 1024, 64 * 1024 + 1, 300_000])(
  'keeps %i bytes, also after its stamp was accepted anew',
  async (size) => {
    const { file, backups, surveyed, held } = place()
    const text = 'ab\n'.repeat(size).slice(0, size)
    await backups.begin(surveyed(text))
    surveyed(text)
    const stamp = stampAt(file)
    backups.touch(stamp === undefined ? [] : [{ path: file, stamp }])
    writeFileSync(file, 'other')
    expect(held()).toBe(text)
    expect(backups.known.get(file)?.word).toBe(stamp?.word)
    backups.close()
  },
)

it('replaces what it started with by what the file became, and removes the copy', async () => {
  const { backups, surveyed, held, stored } = place()
  await backups.begin(surveyed('one'))
  expect(held()).toBe('one')
  await backups.begin(surveyed('two!'))
  expect(held()).toBe('two!')
  expect(stored()).toHaveLength(2)
  await backups.begin(new Map())
  expect(stored()).toEqual(['pack'])
  backups.close()
})

function replaceFile(path: string): void {
  writeFileSync(`${path}.new`, 'evil')
  renameSync(`${path}.new`, path)
}
