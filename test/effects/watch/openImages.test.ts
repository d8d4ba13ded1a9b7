import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
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
  const held = () => readFileSync(images.known.get(file)?.copy ?? '', 'utf8')
  return { file, images, surveyed, held }
}

it('rejects content that was written after the file was examined', () => {
  const { file, images, surveyed, held } = place()
  images.begin(surveyed('one'))
  const two = surveyed('two!')
  writeFileSync(file, 'three')
  images.keep(two)
  expect(held()).toBe('one')
})

it('starts with the current content and its stamp', () => {
  const { file, images, surveyed, held } = place()
  const one = surveyed('one')
  writeFileSync(file, 'later')
  images.begin(one)
  expect([held(), images.known.get(file)?.word]).toEqual(['later', stampAt(file)?.word])
})
