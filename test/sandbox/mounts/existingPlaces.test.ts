import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { existingPlaces } from '../../../src/sandbox/mounts/existingPlaces.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'

it('names the secrets of a home with their links resolved, and none that lead nowhere', () => {
  const home = makeFiles({ '.ssh/': '', key: '', 'a.pem': '', id_one: '-> key', id_two: '-> gone' })
  expect(existingPlaces('~/', home).toSorted()).toEqual(['.ssh', 'a.pem', 'key'].map((name) => join(home, name)))
})

it('names none where the home is missing, no folder, or locked for this user', () => {
  const home = makeFiles({ file: '', 'locked/a.pem': '' })
  chmodSync(join(home, 'locked'), 0o000)
  const names = process.getuid?.() === 0 ? ['missing', 'file'] : ['missing', 'file', 'locked']
  expect(names.flatMap((name) => existingPlaces('~/', join(home, name)))).toEqual([])
})
