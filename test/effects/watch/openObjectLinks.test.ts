import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openObjectLinks } from '../../../src/effects/watch/openObjectLinks.ts'
import { listGitObjects } from '../../../src/effects/watch/watchedObjects.ts'

function repository() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'objects-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const gitDir = join(folder, 'r/.git')
  execFileSync('git', ['init', '-q', join(folder, 'r')])
  execFileSync('git', ['-C', join(folder, 'r'), 'hash-object', '-w', '--stdin'], { input: 'x' })
  const list = () => listGitObjects([{ top: join(folder, 'r'), gitDir, commonDir: gitDir, oidBytes: 20, shallow: '' }])
  const [path = ''] = list().keys()
  return { folder, list, path }
}

/** A folder on another file system than that for temporary files. */
const ELSEWHERE = '/dev/shm'
const isElsewhere = existsSync(ELSEWHERE) && statSync(ELSEWHERE).dev !== statSync(tmpdir()).dev

describe('openObjectLinks', () => {
  it('restores what was removed; the extra link exists only while it is held', () => {
    const { folder, list, path } = repository()
    const held = openObjectLinks(join(folder, 'held'))
    expect(held.keep(list())).toBe(true)
    const objects = list()
    expect(held.keep(objects)).toBe(false)
    const content = readFileSync(path)
    rmSync(join(path, '../..'), { recursive: true })
    expect(held.restore([path], objects)).toEqual([])
    expect(readFileSync(path)).toEqual(content)
    rmSync(path)
    held.keep(list())
    expect(held.restore([path], objects)).toEqual([path])
  })

  it('does not restore what was modified', () => {
    const { folder, list, path } = repository()
    const held = openObjectLinks(join(folder, 'held'))
    held.keep(list())
    const objects = list()
    execFileSync('chmod', ['u+w', path])
    writeFileSync(path, Buffer.alloc(statSync(path).size))
    expect(held.restore([path], objects)).toEqual([path])
  })

  it.skipIf(!isElsewhere)(
    'can restore nothing if its folder is on another file system (needs two file systems)',
    () => {
      const { list, path } = repository()
      const folder = mkdtempSync(join(ELSEWHERE, 'held-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const held = openObjectLinks(folder)
      expect(held.keep(list())).toBe(false)
      rmSync(path)
      expect(held.restore([path], list())).toEqual([path])
    },
  )
})
