import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { largePacks } from '../../../src/git/places/largePacks.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

const LARGE = 64 * 1024 * 1024

it.each(['.git/', ''])('a pack from 64 MB on is named with its index, in a checkout or a repository: %j', (place) => {
  const packs = `${place}objects/pack`
  const names = ['pack-a.pack', 'pack-a.idx', 'pack-b.pack', 'pack-c.pack.tmp', 'pack-d.idx', 'pack-pack.pack']
  const top = makeFiles(Object.fromEntries(names.map((name) => [`${packs}/${name}`, ''])))
  // Files with nothing in them take no space.
  for (const name of ['pack-a.pack', 'pack-c.pack.tmp', 'pack-d.idx', 'pack-pack.pack'])
    truncateSync(join(top, packs, name), LARGE)
  truncateSync(join(top, packs, 'pack-b.pack'), LARGE - 1)
  const expected = ['pack-a.pack', 'pack-a.idx', 'pack-pack.pack', 'pack-pack.idx'].map((name) =>
    join(top, packs, name),
  )
  expect(largePacks(top).sort()).toEqual(expected.sort())
})

it('there are none where there is no repository, and a broken link is none', () => {
  expect(largePacks(makeFiles({ '.git/objects/pack/a.pack': '-> gone' }))).toEqual([])
  expect(largePacks(makeFiles())).toEqual([])
})
