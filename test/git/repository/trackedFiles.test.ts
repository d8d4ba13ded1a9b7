import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { trackedPaths } from '../../../src/git/repository/trackedFiles.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const root = makeFolder('tracked-', afterAll)

const NAMES = [
  'a',
  'ab',
  'b/c/deep.txt',
  'b/c/deeper.txt',
  `long/${'x'.repeat(200)}/y`,
  'ü/漢',
  'z-1',
  'z-22',
  'z-333',
  'z-4444',
]

describe('trackedPaths', () => {
  it.each([2, 3, 4])('reads an index of version %i', (version) => {
    const top = join(root, String(version))
    for (const name of NAMES) {
      mkdirSync(dirname(join(top, name)), { recursive: true })
      writeFileSync(join(top, name), name)
    }
    writeFileSync(join(top, 'untracked'), '')
    const git = (...args: string[]) => execFileSync('git', ['-C', top, ...args])
    git('init', '-q')
    git('add', ...NAMES)
    git('update-index', `--index-version=${version}`)
    // Version 3 is written only where an entry needs it.
    if (version === 3) git('add', '--intent-to-add', 'untracked')
    const expected = version === 3 ? [...NAMES, 'untracked'] : NAMES
    expect([...trackedPaths(join(top, '.git'))].sort()).toEqual([...expected].sort())
  })

  it('is empty without a readable index', () => {
    writeFileSync(join(root, 'index'), 'DIRC\0\0\0\x02\0\0\xff\xff')
    expect(trackedPaths(root).size).toBe(0)
    expect(trackedPaths(join(root, 'nowhere')).size).toBe(0)
    expect(trackedPaths(undefined).size).toBe(0)
  })
})
