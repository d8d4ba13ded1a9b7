import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pinScript } from '../../../src/lib/process/pinScript.ts'

function project() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-pin-')))
  const root = join(base, 'project')
  mkdirSync(join(root, 'ci', 'lib'), { recursive: true })
  mkdirSync(join(root, 'node_modules'))
  for (const path of ['ci/guard.mjs', 'ci/lib/words.mjs', 'package.json', 'top.sh'])
    writeFileSync(join(root, path), path)
  return { root, target: join(base, 'pins'), isHidden: (path: string) => path.endsWith('/.env') }
}

describe('pinScript', () => {
  it('copies the folder to the same place, with the settings above it and the packages as a link', () => {
    const place = project()
    const { root, target } = place
    const pinned = pinScript(join(root, 'ci/guard.mjs'), place)
    expect(pinned).toEqual({ path: join(target, 'ci/guard.mjs'), isAlone: false })
    for (const path of ['ci/guard.mjs', 'ci/lib/words.mjs', 'package.json']) {
      writeFileSync(join(root, path), 'changed')
      expect(readFileSync(join(target, path), 'utf8')).toBe(path)
    }
    expect(realpathSync(join(target, 'node_modules'))).toBe(join(root, 'node_modules'))
  })

  it('copies the files beside a script of the project itself, and no folder', () => {
    const place = project()
    const { root, target } = place
    writeFileSync(join(root, '.env'), 'secret')
    expect(pinScript(join(root, 'top.sh'), place)).toEqual({ path: join(target, 'top.sh'), isAlone: false })
    expect(readdirSync(target).sort()).toEqual(['node_modules', 'package.json', 'top.sh'])
  })

  it('copies nothing that commands must not read: they can read the copies', () => {
    const place = project()
    for (const folder of ['ci', 'ci/lib']) writeFileSync(join(place.root, folder, '.env'), 'secret')
    pinScript(join(place.root, 'ci/guard.mjs'), place)
    expect(readdirSync(join(place.target, 'ci'), { recursive: true }).sort()).toEqual([
      'guard.mjs',
      'lib',
      'lib/words.mjs',
    ])
  })

  it('copies only the script if there is too much beside it', () => {
    const place = project()
    for (let index = 0; index < 1_001; index++) writeFileSync(join(place.root, 'ci', `${index}`), '')
    expect(pinScript(join(place.root, 'ci/guard.mjs'), place).isAlone).toBe(true)
  })

  it('copies the target of a link: the link itself would lead to a later version', () => {
    const place = project()
    const { root } = place
    symlinkSync('guard.mjs', join(root, 'ci/link.mjs'))
    const { path } = pinScript(join(root, 'ci/link.mjs'), place)
    expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, 'ci/guard.mjs'])
  })
})
