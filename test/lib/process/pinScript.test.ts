import { lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
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
  return { root, target: join(base, 'pins') }
}

describe('pinScript', () => {
  it('copies the folder to the same place, with the settings above it and the packages as a link', () => {
    const { root, target } = project()
    const pinned = pinScript(join(root, 'ci/guard.mjs'), root, target)
    expect(pinned).toEqual({ path: join(target, 'ci/guard.mjs'), isAlone: false })
    for (const path of ['ci/guard.mjs', 'ci/lib/words.mjs', 'package.json']) {
      writeFileSync(join(root, path), 'changed')
      expect(readFileSync(join(target, path), 'utf8')).toBe(path)
    }
    expect(realpathSync(join(target, 'node_modules'))).toBe(join(root, 'node_modules'))
  })

  it('copies only the script if its folder is the project or too large', () => {
    const { root, target } = project()
    expect(pinScript(join(root, 'top.sh'), root, target)).toEqual({ path: join(target, 'top.sh'), isAlone: true })
    for (let index = 0; index < 1_001; index++) writeFileSync(join(root, 'ci', `${index}`), '')
    expect(pinScript(join(root, 'ci/guard.mjs'), root, target).isAlone).toBe(true)
  })

  it('copies the target of a link: the link itself would lead to a later version', () => {
    const { root, target } = project()
    symlinkSync('guard.mjs', join(root, 'ci/link.mjs'))
    const { path } = pinScript(join(root, 'ci/link.mjs'), root, target)
    expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, 'ci/guard.mjs'])
  })
})
