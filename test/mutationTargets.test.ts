import { readdirSync, readFileSync } from 'node:fs'
import { minimatch } from 'minimatch'
import { expect, it } from 'vitest'
import { explained } from '../scripts/mutation/explained.ts'
import { targets } from '../scripts/mutation/targets.ts'
import { unmutated } from '../scripts/mutation/unmutated.ts'

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => path.endsWith('.ts'))
const files = filesIn('src')
const tests = filesIn('test')
const places = [...targets.map((target) => target.files), ...Object.values(unmutated)]
const placesOf = (file: string) => places.filter((globs) => globs.some((glob) => minimatch(file, glob)))

it('every file of the source is mutated by one target, or has a reason why not', () => {
  expect(files.filter((file) => placesOf(file).length !== 1)).toEqual([])
})

it('no target and no reason names what is not there', () => {
  const missing = (globs: readonly string[], there: readonly string[]) =>
    globs.filter((glob) => !there.some((file) => minimatch(file, glob)))
  expect(places.flatMap((globs) => missing(globs, files))).toEqual([])
  expect(targets.flatMap(({ tests: own, programs = [] }) => missing([...own, ...programs], tests))).toEqual([])
})

it('every mutant that is explained is one of a line that is there', () => {
  const gone = explained.flatMap(({ file, mutants }) => {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .map((line) => (line.length > 90 ? `${line.slice(0, 90)}…` : line))
    return mutants.filter(
      (mutant) => !lines.some((line) => /^ (?:\||=>) /.test(mutant.slice(line.length)) && mutant.startsWith(line)),
    )
  })
  expect(gone).toEqual([])
})
