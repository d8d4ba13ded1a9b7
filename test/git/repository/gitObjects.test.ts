import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readIndex } from '../../../src/git/repository/gitIndex.ts'
import { openObjects, type TreeEntry } from '../../../src/git/repository/gitObjects.ts'
import { nameFromDisk } from '../../../src/lib/fs/diskPath.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

function makeRepository() {
  const top = makeFolder()
  const run = (args: readonly string[], input: string | Buffer = '') =>
    execFileSync('git', [...args], { cwd: top, input, stdio: ['pipe', 'pipe', 'ignore'] })
  const git = (...args: string[]) => run(args).toString().trim()
  git('init', '-q')
  const index = join(top, '.git/index')
  const write = (name: string, text = name) => writeFileSync(Buffer.from(join(top, name), 'latin1'), text)
  /** What git says of its index: mode, name of the content, path. */
  const listed = () =>
    run(['ls-files', '-s', '-z'])
      .toString('latin1')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const [, mode, oid, name = ''] = /^(\d+) (\w+) \d\t(.*)$/s.exec(line) ?? []
        return [nameFromDisk(Buffer.from(name, 'latin1')), mode, oid]
      })
  return { top, git, run, index, write, listed, objects: openObjects(join(top, '.git')) }
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
    const names = [
      'a',
      'a.b',
      'a-b/c',
      'a0',
      'ab/c/d',
      'ab/c.d',
      'ab.c',
      'b',
      'ä/ö',
      `caf${nameFromDisk(Buffer.from([0xe9]))}/x`,
    ]
    const files = new Map<string, TreeEntry>(names.toReversed().map((name) => [name, { mode: '100644', oid: blob }]))
    files.set('link', { mode: '120000', oid: blob }).set('run', { mode: '100755', oid: blob })
    const lines = [...files].map(([name, { mode, oid }]) => {
      const path = Buffer.from(name.includes('caf') ? 'caf\xe9/x' : Buffer.from(name).toString('latin1'), 'latin1')
      return Buffer.concat([Buffer.from(`${mode} ${oid}\t`), path, Buffer.of(0)])
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

describe("git's index", () => {
  it.each(['2', '4'])('of version %s says what git says of it', async (version) => {
    const { top, git, index, write, listed } = makeRepository()
    mkdirSync(join(top, 'sub/deep'), { recursive: true })
    // Names of many lengths: each entry is filled up to a multiple of eight, or shares its start with the one before.
    for (let length = 1; length < 20; length++) write(`sub/${'n'.repeat(length)}`)
    for (const name of ['a', 'sub/deep/x', 'caf\xe9', '\xc3\xa4', `${'long'.repeat(60)}`]) write(name)
    git('update-index', '--index-version', version)
    git('add', '.')
    git('update-index', '--chmod=+x', 'a')
    const entries = await readIndex(index)
    expect([...(entries ?? [])].map(([name, { mode, oid }]) => [name, mode, oid])).toEqual(listed())
  })

  it('of version 3 too, which marks files that are not there yet', async () => {
    const { git, index, write, listed } = makeRepository()
    for (const name of ['a', 'b', 'c']) write(name)
    git('add', 'a', 'c')
    git('add', '--intent-to-add', 'b')
    expect([...((await readIndex(index)) ?? [])].map(([name, { mode, oid }]) => [name, mode, oid])).toEqual(listed())
  })

  it('knows when a file was looked at, unless it may have changed within the same moment', async () => {
    const { top, git, index, write } = makeRepository()
    for (const name of ['old', 'new']) write(name)
    const now = Math.floor(Date.now() / 1000)
    utimesSync(join(top, 'old'), now - 100, now - 100)
    utimesSync(join(top, 'new'), now, now)
    git('add', '.')
    utimesSync(index, now, now)
    const entries = await readIndex(index)
    expect(entries?.get('old')?.stamp).toMatch(new RegExp(`^\\d+ \\d+ ${now - 100} 0 \\d+ 3$`))
    expect(entries?.get('new')?.stamp).toBeUndefined()
  })

  it('that it cannot read in full is not read at all', async () => {
    const { git, index, write } = makeRepository()
    for (const name of ['a', 'b']) write(name)
    git('add', '.')
    const good = readFileSync(index)
    const readWith = (change: (bytes: Buffer) => Buffer | number) => {
      const bytes = Buffer.from(good)
      const changed = change(bytes)
      writeFileSync(index, typeof changed === 'number' ? bytes : changed)
      return readIndex(index)
    }
    expect((await readWith((bytes) => bytes))?.size).toBe(2)
    // No index, a version to come, one long ago, one that is cut off, and one that names a folder for all that is in it.
    expect(await readWith((bytes) => bytes.write('DIRX'))).toBeUndefined()
    expect(await readWith((bytes) => bytes.writeUInt32BE(5, 4))).toBeUndefined()
    expect(await readWith((bytes) => bytes.writeUInt32BE(1, 4))).toBeUndefined()
    expect(await readWith((bytes) => bytes.subarray(0, 80))).toBeUndefined()
    expect(await readWith((bytes) => bytes.writeUInt32BE(0o40000, 12 + 24))).toBeUndefined()
    writeFileSync(index, good)
    git('update-index', '--split-index')
    expect(await readIndex(index)).toBeUndefined()
    rmSync(index)
    expect(await readIndex(index)).toBeUndefined()
  })
})
