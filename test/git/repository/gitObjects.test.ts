import { execFileSync } from 'node:child_process'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openObjects, type TreeEntry } from '../../../src/git/repository/gitObjects.ts'
import { diskPath, nameFromDisk } from '../../../src/lib/fs/diskPath.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { gitAt } from '../../helpers/git.ts'

function makeRepository() {
  const top = makeFiles()
  const run = (args: readonly string[], input: string | Buffer = '') =>
    execFileSync('git', [...args], { cwd: top, input, stdio: ['pipe', 'pipe', 'ignore'] })
  const git = gitAt(top)
  git('init', '-q')
  return { top, git, run, objects: openObjects(join(top, '.git')) }
}

describe('objects', () => {
  it('are those of git, and git reads them', () => {
    const { git, run, objects } = makeRepository()
    for (const content of ['', 'text\n', 'ä\0\n']) {
      const oid = objects.putBlob(Buffer.from(content))
      expect(oid).toBe(run(['hash-object', '--stdin'], content).toString().trim())
      expect(run(['cat-file', 'blob', oid]).toString()).toBe(content)
      expect(Buffer.from(objects.readBlob(oid)).toString()).toBe(content)
    }
    expect(git('fsck', '--strict', '--no-dangling')).toBe('')
  })

  it('make the tree that git would make, in its order', () => {
    const { git, run, objects } = makeRepository()
    const blob = objects.putBlob(Buffer.from('x'))
    const latin = `caf${nameFromDisk(Buffer.from([0xe9]))}/x`
    const names = ['a', 'a.b', 'a-b/c', 'a0', 'ab/c/d', 'ab/c.d', 'ab.c', 'b', 'ä/ö', latin]
    const files = new Map<string, TreeEntry>(names.toReversed().map((name) => [name, { mode: '100644', oid: blob }]))
    files.set('link', { mode: '120000', oid: blob }).set('run', { mode: '100755', oid: blob })
    const lines = [...files].map(([name, { mode, oid }]) => {
      return Buffer.concat([Buffer.from(`${mode} ${oid}\t`), Buffer.from(diskPath(name)), Buffer.of(0)])
    })
    run(['update-index', '-z', '--index-info'], Buffer.concat(lines))
    expect(objects.putTree(files)).toBe(git('write-tree'))
    expect(git('fsck', '--strict')).not.toContain('error')
    expect(objects.putTree(new Map())).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904')
  })

  it('are stored once', () => {
    const { top, objects } = makeRepository()
    const oid = objects.putBlob(Buffer.from('x'))
    const file = join(top, '.git/objects', oid.slice(0, 2), oid.slice(2))
    utimesSync(file, 1, 1)
    objects.putBlob(Buffer.from('x'))
    expect(readdirSync(join(file, '..'))).toHaveLength(1)
    expect(() => objects.readBlob('0'.repeat(40))).toThrow('ENOENT')
  })
})
