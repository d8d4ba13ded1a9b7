import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { trackedPaths } from '../../../src/git/repository/trackedFiles.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { gitAt } from '../../helpers/git.ts'

const NAMES = ['a', 'ab', 'b/c/deep.txt', 'b/c/deeper.txt', `long/${'x'.repeat(200)}/y`, 'ü/漢', 'z-1', 'z-22', 'z-333']

it.each([2, 3, 4])('the tracked paths are those of an index of version %i', (version) => {
  const top = makeFiles(Object.fromEntries([...NAMES, 'untracked'].map((name) => [name, ''])))
  const git = gitAt(top)
  git('init', '-q')
  git('add', ...NAMES)
  git('update-index', `--index-version=${version}`)
  // Version 3 is written only where an entry needs it.
  if (version === 3) git('add', '--intent-to-add', 'untracked')
  const expected = version === 3 ? [...NAMES, 'untracked'] : NAMES
  expect([...trackedPaths(join(top, '.git'))].sort()).toEqual(expected.toSorted())
})

it('there are none without an index that can be read', () => {
  const top = makeFiles()
  writeFileSync(join(top, 'index'), 'DIRC\0\0\0\x02\0\0\xff\xff')
  expect([top, join(top, 'nowhere'), undefined].map((git) => trackedPaths(git).size)).toEqual([0, 0, 0])
})
