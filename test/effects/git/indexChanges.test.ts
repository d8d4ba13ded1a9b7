import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { indexChanges } from '../../../src/effects/git/indexChanges.ts'
import { type Files, makeFiles } from '../../helpers/effects/makeFiles.ts'
import { makeIndex } from '../../helpers/effects/makeIndex.ts'
import { changesBetween } from '../../helpers/effects/playChanges.ts'

/** The changes from the files of `old/` to those of `new/`. */
function between(files: Files, oidBytes: 20 | 32 = 20) {
  const folder = makeFiles({ 'old/': '', 'new/': '', ...files })
  const [old, young] = [join(folder, 'old'), join(folder, 'new')]
  const found = indexChanges(
    { top: folder, gitDir: old, commonDir: old, oidBytes, shallow: '' },
    changesBetween(old, young),
    { now: (path) => path.replace(old, young), before: (path) => (existsSync(path) ? path : undefined) },
  )
  const names = (paths: readonly string[]) => paths.map((path) => path.replace(`${old}/`, ''))
  return {
    found,
    young,
    path: (name: string) => join(old, name),
    shown: {
      unchanged: names(found.unchanged),
      changed: names(found.changed),
      damaged: names(found.damaged === undefined ? [] : [found.damaged]),
      brought: found.brought.map(({ path, mode, oid }) => `${path} ${mode} ${oid[0] ?? ''}`),
    },
  }
}

const A = makeIndex(['a'])
const AGAIN = makeIndex([{ path: 'a', stat: 1 }])
const CACHED = makeIndex(['a'], { extensions: { TREE: 'x' } })
const none = { unchanged: [], changed: [], damaged: [], brought: [] }
const changed = { ...none, changed: ['index'] }

describe('indexChanges', () => {
  const STAGES = makeIndex([
    { path: 'a', flags: 0x1000 },
    { path: 'a', flags: 0x2000, oid: 'b' },
  ])
  const TWO = { 'old/a': A, 'new/a': AGAIN, 'old/b': A, 'new/b': 'x' }
  const replaced = { ...changed, changed: ['index', 'index'], damaged: ['index'] }
  it.each<[string, Files, unknown]>([
    ['nothing', {}, none],
    ['the same entries', { 'old/index': A, 'new/index': AGAIN }, { ...none, unchanged: ['index'] }],
    ['a new index', { 'new/index': A }, { ...changed, brought: ['a 100644 a'] }],
    ['a new index without entries', { 'new/index': makeIndex([]) }, { ...none, unchanged: ['index'] }],
    ['an index that is gone', { 'old/index': A }, { ...changed, brought: ['a 000000 '] }],
    ['a path that is gone', { 'old/index': A, 'new/index': makeIndex([]) }, { ...changed, brought: ['a 000000 '] }],
    ['two stages', { 'old/index': A, 'new/index': STAGES }, { ...changed, brought: ['a 100644 a', 'a 100644 b'] }],
    ['a damaged index', { 'old/index': A, 'new/index': 'x' }, { ...changed, damaged: ['index'] }],
    ['one that was damaged', { 'old/index': 'x', 'new/index': A }, { ...changed, damaged: ['index'] }],
    ['a damaged index that is gone', { 'old/index': 'x' }, { ...changed, damaged: ['index'] }],
    ['a folder in its place', { 'old/index': A, 'new/index/': '' }, { ...replaced, brought: ['a 000000 '] }],
    ['two of them, of which one is damaged', TWO, { ...none, unchanged: ['a'], changed: ['b'], damaged: ['b'] }],
  ])('tells of %s', (_, files, expected) => {
    expect(between(files).shown).toEqual(expected)
  })

  it('reads the index of a SHA-256 repository', () => {
    const { shown } = between({ 'new/index': makeIndex(['a'], { oidBytes: 32 }) }, 32)
    expect(shown).toEqual({ ...changed, brought: ['a 100644 a'] })
  })
})

describe('an index that is taken over', () => {
  it('loses its caches, keeps its mode, and leaves nothing beside it', () => {
    const { found, young, path } = between({ 'new/index': CACHED, 'new/another': CACHED })
    chmodSync(join(young, 'index'), 0o640)
    found.strip(path('index'))
    expect(readFileSync(join(young, 'index')).equals(A)).toBe(true)
    expect(readFileSync(join(young, 'another')).equals(CACHED)).toBe(true)
    expect([lstatSync(join(young, 'index')).mode & 0o7777, readdirSync(young)]).toEqual([0o640, ['another', 'index']])
  })

  it.each<[string, Files]>([
    ['is gone', { 'old/index': CACHED }],
    ['is damaged', { 'new/index': 'x' }],
    ['is not there', {}],
  ])('stays as it is if it %s', (_, files) => {
    const { found, young, path } = between(files)
    found.strip(path('index'))
    expect(readdirSync(young)).toEqual(
      Object.keys(files)
        .filter((name) => name.startsWith('new/'))
        .map(() => 'index'),
    )
  })
})
