import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { existingPlaces } from '../../../src/sandbox/mounts/existingPlaces.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function makeHome(): string {
  const home = makeFolder()
  return home
}

it('names the secrets of a home with their links resolved, and none that lead nowhere', () => {
  const home = makeHome()
  mkdirSync(join(home, '.ssh'))
  writeFileSync(join(home, 'key'), '')
  writeFileSync(join(home, 'a.pem'), '')
  symlinkSync('key', join(home, 'id_one'))
  symlinkSync('gone', join(home, 'id_two'))
  expect(existingPlaces('~/', home).toSorted()).toEqual(['.ssh', 'a.pem', 'key'].map((name) => join(home, name)))
})

it('names none where the home is missing, no folder, or locked for this user', () => {
  const home = makeHome()
  writeFileSync(join(home, 'file'), '')
  mkdirSync(join(home, 'locked'))
  writeFileSync(join(home, 'locked/a.pem'), '')
  chmodSync(join(home, 'locked'), 0o000)
  const names = process.getuid?.() === 0 ? ['missing', 'file'] : ['missing', 'file', 'locked']
  expect(names.flatMap((name) => existingPlaces('~/', join(home, name)))).toEqual([])
})
