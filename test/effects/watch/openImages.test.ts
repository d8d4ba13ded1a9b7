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
import { openImages } from '../../../src/effects/watch/openImages.ts'
import { stampAt } from '../../../src/effects/watch/surveyFiles.ts'

function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'images-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  const images = openImages(join(folder, 'images'))
  const surveyed = (text: string) => {
    writeFileSync(file, text)
    const stamp = stampAt(file)
    return new Map(stamp === undefined ? [] : [[file, stamp]])
  }
  const stored = () => readdirSync(join(folder, 'images')).sort()
  const held = () => readFileSync(images.known.get(file)?.copy ?? '', 'utf8')
  const pack = join(folder, 'images', 'pack')
  return { file, images, surveyed, held, stored, pack }
}

it('rejects content that was written after the file was examined', async () => {
  const { file, images, surveyed, held } = place()
  await images.begin(surveyed('one'))
  const two = surveyed('two!')
  writeFileSync(file, 'three')
  images.keep(two)
  expect(held()).toBe('one')
})

it('starts with the current content and its stamp', async () => {
  const { file, images, surveyed, held } = place()
  const one = surveyed('one')
  writeFileSync(file, 'later')
  await images.begin(one)
  expect([held(), images.known.get(file)?.word]).toEqual(['later', stampAt(file)?.word])
})

it('keeps what it starts with in one file, and writes a copy with its mode when it is asked for', async () => {
  const { file, images, surveyed, held, stored } = place()
  surveyed('#!/bin/sh\n')
  chmodSync(file, 0o751)
  await images.begin(surveyed('#!/bin/sh\n'))
  expect(stored()).toEqual(['pack'])
  expect([held(), held()]).toEqual(['#!/bin/sh\n', '#!/bin/sh\n'])
  expect(stored()).toEqual(['0', 'pack'])
  expect(lstatSync(images.known.get(file)?.copy ?? '').mode & 0o7777).toBe(0o751)
  images.close()
})

it('leaves no descriptor open that leads a command to the contents', async () => {
  const { images, surveyed, held, pack } = place()
  await images.begin(surveyed('one'))
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
  const { file, images, surveyed, pack } = place()
  await images.begin(surveyed('good'))
  change(pack)
  expect(images.known.get(file)?.copy).toBeUndefined()
})

it.each([0, 1, 64 * 1024, 64 * 1024 + 1, 300_000])(
  'keeps %i bytes, also after its stamp was accepted anew',
  async (size) => {
    const { file, images, surveyed, held } = place()
    const text = 'ab\n'.repeat(size).slice(0, size)
    await images.begin(surveyed(text))
    surveyed(text)
    const stamp = stampAt(file)
    images.touch(stamp === undefined ? [] : [{ path: file, stamp }])
    writeFileSync(file, 'other')
    expect(held()).toBe(text)
    expect(images.known.get(file)?.word).toBe(stamp?.word)
    images.close()
  },
)

it('replaces what it started with by what the file became, and removes the copy', async () => {
  const { images, surveyed, held, stored } = place()
  await images.begin(surveyed('one'))
  expect(held()).toBe('one')
  await images.begin(surveyed('two!'))
  expect(held()).toBe('two!')
  expect(stored()).toHaveLength(2)
  await images.begin(new Map())
  expect(stored()).toEqual(['pack'])
  images.close()
})

function replaceFile(path: string): void {
  writeFileSync(`${path}.new`, 'evil')
  renameSync(`${path}.new`, path)
}
