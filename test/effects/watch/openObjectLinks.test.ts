import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openObjectLinks } from '../../../src/effects/watch/openObjectLinks.ts'
import { listGitObjects } from '../../../src/effects/watch/watchedObjects.ts'
import { recordCalls } from '../../helpers/effects/recordCalls.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function repository() {
  const folder = makeFolder()
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

  it('holds one link to each object, and a new one where the object is another file now', () => {
    const { folder, list, path } = repository()
    const held = openObjectLinks(join(folder, 'deep/held'))
    const links = () => readdirSync(join(folder, 'deep/held')).length
    expect(statSync(join(folder, 'deep/held')).mode & 0o777).toBe(0o700)
    execFileSync('git', ['-C', join(folder, 'r'), 'hash-object', '-w', '--stdin'], { input: 'y' })
    held.keep(list())
    expect([links(), held.keep(list())]).toEqual([2, false])
    const bytes = readFileSync(path)
    renameSync(path, join(folder, 'old'))
    writeFileSync(path, bytes)
    expect([held.keep(list()), links()]).toEqual([true, 2])
    const objects = list()
    rmSync(path)
    expect(held.restore([path], objects)).toEqual([])
    rmSync(path)
    held.keep(list())
    expect(links()).toBe(1)
  })

  it('restores what it holds, and names the rest: what it never saw, and what is another file now', () => {
    const { folder, list, path } = repository()
    const held = openObjectLinks(join(folder, 'held'))
    held.keep(list())
    const objects = list()
    const other = join(path, '../other')
    expect(held.restore([other], objects)).toEqual([other])
    expect(held.restore([path], new Map())).toEqual([path])
    const bytes = readFileSync(path)
    rmSync(path)
    // It stays, so that no other file gets its inode.
    renameSync(join(folder, 'held/0'), join(folder, 'away'))
    expect(held.restore([path], objects)).toEqual([path])
    writeFileSync(join(folder, 'held/0'), bytes)
    expect(held.restore([path], objects)).toEqual([path])
    expect(existsSync(path)).toBe(false)
  })

  it('restores a pack as it was, with the folders that git expects, through no link', () => {
    const { folder, list } = repository()
    const objects = join(folder, 'r/.git/objects')
    const pack = join(objects, 'pack', `pack-${'a'.repeat(40)}.pack`)
    writeFileSync(pack, 'pack')
    const held = openObjectLinks(join(folder, 'held'))
    held.keep(list())
    const before = list()
    rmSync(objects, { recursive: true })
    mkdirSync(join(folder, 'away'))
    symlinkSync(join(folder, 'away'), objects)
    expect(held.restore([pack], before)).toEqual([])
    expect([readFileSync(pack, 'utf8'), readdirSync(objects).sort()]).toEqual(['pack', ['info', 'pack']])
    expect(readdirSync(join(folder, 'away'))).toEqual([])
    rmSync(pack)
    mkdirSync(join(pack, 'in/the/way'), { recursive: true })
    expect(held.restore([pack], before)).toEqual([])
    expect(readFileSync(pack, 'utf8')).toBe('pack')
  })

  it('goes on where one object cannot be held, and stops where its folder is on another file system', () => {
    const { folder, list } = repository()
    execFileSync('git', ['-C', join(folder, 'r'), 'hash-object', '-w', '--stdin'], { input: 'y' })
    const paths = [...list().keys()].map((path) => path.slice(folder.length + 1))
    const holding = (code: string) => {
      const made = openObjectLinks(join(folder, code))
      recordCalls(folder).fail(`link ${paths[0]} ${code}/0`, code)
      made.keep(list())
      return readdirSync(join(folder, code)).length
    }
    expect([holding('EACCES'), holding('EXDEV')]).toEqual([1, 0])
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
