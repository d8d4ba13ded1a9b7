import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import type { FilePlaces } from '../../src/files/createPlaceCheck.ts'
import { resolvePath } from '../../src/files/resolvePath.ts'
import { linkRace } from '../faults/linkRace.ts'
import { times } from '../helpers/sampled.ts'

const isRoot = process.getuid?.() === 0
const bytes = (text: string) => new TextEncoder().encode(text)
let base = ''
let root = ''
const inRoot = (name: string) => join(root, name)
const guard = (places: Partial<FilePlaces> = {}) => createFileAccess({ roots: [root], forbidden: [], ...places })

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-files-')))
  root = join(base, 'project')
  mkdirSync(root)
  mkdirSync(join(base, 'outside'))
  writeFileSync(join(base, 'outside/secret'), 'SECRET')
})

describe('reading', () => {
  test('gives the bytes, the size and a stamp', async () => {
    writeFileSync(inRoot('a'), 'hello')
    const { bytes: read, size, stamp } = await guard().read(inRoot('a'))
    expect(Buffer.from(read).toString()).toBe('hello')
    expect(size).toBe(5)
    expect({ ...stamp, mtimeMs: 0 }).toEqual({
      size: 5,
      mtimeMs: 0,
      isWhole: true,
      sha256: createHash('sha256').update('hello').digest('hex'),
    })
  })

  test('reads a part of a huge sparse file without the rest', async () => {
    writeFileSync(inRoot('big'), 'start')
    truncateSync(inRoot('big'), 5_000_000_000)
    const part = await guard().read(inRoot('big'), { maxBytes: 1000 })
    expect(part.bytes).toHaveLength(1000)
    expect(part).toMatchObject({ size: 5_000_000_000, stamp: { isWhole: false, sha256: '' } })
    expect((await guard().read(inRoot('big'), { maxBytes: 10, offset: 6_000_000_000 })).bytes).toHaveLength(0)
  })

  test('ends at the size it found when a file grows meanwhile', async () => {
    writeFileSync(inRoot('log'), 'x'.repeat(100_000))
    const child = spawn('bash', ['-c', 'while printf x; do :; done >> log'], { cwd: root })
    try {
      for (let round = 0; round < 20; round += 1) {
        const { bytes: read, size } = await guard().read(inRoot('log'))
        expect(read).toHaveLength(size)
      }
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('refuses pipes, sockets, devices and folders immediately', async () => {
    execFileSync('mkfifo', [inRoot('pipe')])
    const server = createServer().listen(inRoot('socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    mkdirSync(inRoot('folder'))
    const names = ['pipe', 'socket', 'folder', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe']
    const hasDevice = isRoot && spawnSync('mknod', [inRoot('zero'), 'c', '1', '5']).status === 0
    const results = await Promise.allSettled(
      [...names, ...(hasDevice ? ['zero'] : [])].map((name) => guard().read(inRoot(name))),
    )
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'not_regular' } })
    await expect(guard().write(inRoot('pipe'), bytes('x'))).rejects.toMatchObject({ code: 'not_regular' })
    server.close()
  })

  test.each([
    ...['/proc/self/environ', '/proc/kmsg', '/proc/self/root/etc/hostname', '/dev/zero', '/dev/null'],
    '/sys/power/state',
  ])('never opens %s, even if a rule names it', async (path) => {
    const access = guard({ isReadAllowedOutside: () => true, isWriteAllowedOutside: () => true, roots: ['/'] })
    await expect(access.read(path)).rejects.toMatchObject({ code: 'protected' })
    await expect(access.write(path, bytes('x'))).rejects.toMatchObject({ code: 'protected' })
    await expect(access.list(dirname(path))).rejects.toMatchObject({ code: 'protected' })
  })
})

describe('places', () => {
  test.each(['../outside/secret', '/etc/hostname', '..', '../project-2/x'])('%s is outside', async (path) => {
    const { resolved } = resolvePath(path, root, '/root')
    await expect(guard().read(resolved)).rejects.toMatchObject({ code: 'outside' })
    await expect(guard().write(resolved, bytes('x'))).rejects.toMatchObject({ code: 'outside' })
    await expect(guard().stat(resolved)).rejects.toMatchObject({ code: 'outside' })
    await expect(guard().remove(resolved)).rejects.toMatchObject({ code: 'outside' })
  })

  test.each(['a/../b', './a', 'a\0', 'a//b', 'a/'])('%j is not a resolved path', async (path) => {
    await expect(guard().read(`${root}/${path}`)).rejects.toMatchObject({ code: 'outside' })
    await expect(guard().read(path)).rejects.toMatchObject({ code: 'outside' })
  })

  test('a rule opens one path outside, for reading or writing', async () => {
    const path = join(base, 'outside/secret')
    const access = guard({ isReadAllowedOutside: (asked) => asked === path })
    expect((await access.read(path)).size).toBe(6)
    await expect(access.write(path, bytes('x'))).rejects.toMatchObject({ code: 'outside' })
    await expect(access.read(join(base, 'outside/other'))).rejects.toMatchObject({ code: 'outside' })
  })

  test('a look at a path, or a list, is a read, and a removal is a write', async () => {
    writeFileSync(inRoot('policy.yml'), '')
    const access = guard({ isReadAllowedOutside: (asked) => asked.startsWith(base), readOnly: [inRoot('policy.yml')] })
    expect(await access.stat(join(base, 'outside/secret'))).toMatchObject({ kind: 'file', size: 6 })
    expect(await access.list(join(base, 'outside'))).toEqual([{ name: 'secret', kind: 'file' }])
    await expect(access.remove(join(base, 'outside/secret'))).rejects.toMatchObject({ code: 'outside' })
    await expect(access.remove(inRoot('policy.yml'))).rejects.toMatchObject({ code: 'protected' })
    expect(existsSync(inRoot('policy.yml'))).toBe(true)
  })

  test('the root of all folders is a folder', async () => {
    expect(await guard({ roots: ['/'] }).stat('/')).toMatchObject({ kind: 'directory' })
  })

  test('a deny rule also applies inside the roots', async () => {
    writeFileSync(inRoot('key.pem'), '')
    const access = guard({
      isReadDenied: (path) => path.endsWith('.pem'),
      isWriteDenied: (path) => path.endsWith('.yml'),
    })
    await expect(access.read(inRoot('key.pem'))).rejects.toMatchObject({ code: 'protected' })
    await expect(access.write(inRoot('ci.yml'), bytes(''))).rejects.toMatchObject({ code: 'protected' })
    expect(existsSync(inRoot('ci.yml'))).toBe(false)
  })

  test('forbidden and read-only places, even through a link', async () => {
    mkdirSync(inRoot('records/blobs'), { recursive: true })
    writeFileSync(inRoot('records/log'), '')
    writeFileSync(inRoot('records/blobs/b'), 'blob')
    writeFileSync(inRoot('policy.yml'), '')
    symlinkSync('records', inRoot('link'))
    const access = guard({
      forbidden: [inRoot('link')],
      readOnly: [inRoot('policy.yml')],
      extraReadable: [inRoot('records/blobs')],
    })
    await expect(access.read(inRoot('records/log'))).rejects.toMatchObject({ code: 'protected' })
    await expect(access.write(inRoot('records/new'), bytes(''))).rejects.toMatchObject({ code: 'protected' })
    expect((await access.read(inRoot('records/blobs/b'))).size).toBe(4)
    await expect(access.write(inRoot('records/blobs/b'), bytes(''))).rejects.toMatchObject({ code: 'protected' })
    expect((await access.read(inRoot('policy.yml'))).size).toBe(0)
    await expect(access.write(inRoot('policy.yml'), bytes('allow: all'))).rejects.toMatchObject({ code: 'protected' })
  })
})

describe('links', () => {
  test('never follows a link: as last name, in the path, or dangling', async () => {
    symlinkSync('../outside/secret', inRoot('file'))
    symlinkSync('../outside', inRoot('folder'))
    symlinkSync('../outside/new', inRoot('dangling'))
    for (const name of ['file', 'folder/secret']) {
      await expect(guard().read(inRoot(name))).rejects.toMatchObject({ code: 'changed' })
    }
    for (const name of ['file', 'folder/new', 'folder/deep/new', 'dangling']) {
      await expect(guard().write(inRoot(name), bytes('x'))).rejects.toMatchObject({ code: 'changed' })
    }
    await expect(guard().list(inRoot('folder'))).rejects.toMatchObject({ code: 'changed' })
    await expect(guard().remove(inRoot('folder/secret'))).rejects.toMatchObject({ code: 'changed' })
    expect(await guard().stat(inRoot('file'))).toMatchObject({ kind: 'link' })
    expect(readdirSync(join(base, 'outside'))).toEqual(['secret'])
    expect(readFileSync(join(base, 'outside/secret'), 'utf8')).toBe('SECRET')
  })

  test('reads but never writes a file with a second hard link', async () => {
    linkSync(join(base, 'outside/secret'), inRoot('twin'))
    expect((await guard().read(inRoot('twin'))).size).toBe(6)
    await expect(guard().write(inRoot('twin'), bytes('x'))).rejects.toMatchObject({ code: 'protected' })
    expect(readFileSync(join(base, 'outside/secret'), 'utf8')).toBe('SECRET')
  })

  test('never leaves the roots through a folder that alternates with a link', { timeout: 60_000 }, async () => {
    const { escapes, inside, refused } = await linkRace(base, times(3_000, 500))
    expect(escapes).toBe(0)
    // The race was really run: both ways were met.
    expect(inside).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })
})

describe('writing', () => {
  test('creates missing folders and leaves no temporary file', async () => {
    const stamp = await guard().write(inRoot('a/b/c.txt'), bytes('new'))
    expect(readFileSync(inRoot('a/b/c.txt'), 'utf8')).toBe('new')
    expect(readdirSync(inRoot('a/b'))).toEqual(['c.txt'])
    expect(stamp).toEqual((await guard().read(inRoot('a/b/c.txt'))).stamp)
  })

  test('keeps mode and owner', async () => {
    writeFileSync(inRoot('run.sh'), 'old')
    chmodSync(inRoot('run.sh'), 0o751)
    if (isRoot) chownSync(inRoot('run.sh'), 1234, 1235)
    await guard().write(inRoot('run.sh'), bytes('new'))
    const { mode, uid, gid } = statSync(inRoot('run.sh'))
    expect(mode & 0o7777).toBe(0o751)
    if (isRoot) expect([uid, gid]).toEqual([1234, 1235])
  })

  test.skipIf(isRoot)('does not replace a file that may not be written (not as root)', async () => {
    writeFileSync(inRoot('fixed'), 'old', { mode: 0o444 })
    await expect(guard().write(inRoot('fixed'), bytes('new'))).rejects.toMatchObject({ code: 'io' })
  })

  test('overwrites only the expected content', async () => {
    writeFileSync(inRoot('a'), 'one')
    const { stamp } = await guard().read(inRoot('a'))
    writeFileSync(inRoot('a'), 'two')
    await expect(guard().write(inRoot('a'), bytes('three'), { expect: stamp })).rejects.toMatchObject({
      ...{ code: 'changed', message: `${inRoot('a')} changed on disk` },
    })
    expect(readFileSync(inRoot('a'), 'utf8')).toBe('two')
    expect(readdirSync(root)).toEqual(['a'])
  })

  test('removes files and nothing else', async () => {
    writeFileSync(inRoot('a'), '')
    mkdirSync(inRoot('folder'))
    await guard().remove(inRoot('a'))
    expect(existsSync(inRoot('a'))).toBe(false)
    await expect(guard().remove(inRoot('a'))).rejects.toMatchObject({ code: 'not_found' })
    await expect(guard().remove(inRoot('folder'))).rejects.toMatchObject({ code: 'not_regular' })
  })
})

describe('listing', () => {
  test('names links as links and sorts by name', async () => {
    writeFileSync(inRoot('b'), '')
    mkdirSync(inRoot('a'))
    symlinkSync('b', inRoot('c'))
    expect(await guard().list(root)).toEqual([
      { name: 'a', kind: 'directory' },
      { name: 'b', kind: 'file' },
      { name: 'c', kind: 'link' },
    ])
  })

  test('reports a missing folder, or one that is a file', async () => {
    writeFileSync(inRoot('b'), '')
    await expect(guard().list(inRoot('x'))).rejects.toMatchObject({ code: 'not_found' })
    await expect(guard().list(inRoot('b'))).rejects.toThrow(/is not a folder, or lies below a file/)
    expect(await guard().stat(inRoot('x/y'))).toBeUndefined()
    expect(await guard().stat(root)).toMatchObject({ kind: 'directory' })
    await expect(guard().read(inRoot('x/y'))).rejects.toThrow(`${inRoot('x/y')} does not exist`)
  })
})

/** Mounting needs root and a kernel that lets it. */
const mounts: string[] = []
function mountTmpfs(options: string): string | undefined {
  const point = join(base, 'mount')
  mkdirSync(point)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', point], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  mounts.push(point)
  return point
}
afterAll(() => {
  for (const point of mounts) execFileSync('umount', [point])
})

describe('full and read-only file systems', () => {
  test('a full disk leaves the old bytes and no temporary file', async (context) => {
    const point = mountTmpfs('size=64k')
    if (point === undefined) return context.skip('needs the right to mount')
    const path = join(point, 'a')
    const old = Buffer.alloc(40_000, 'o')
    writeFileSync(path, old)
    const access = guard({ roots: [point] })
    await expect(access.write(path, Buffer.alloc(60_000, 'n'))).rejects.toThrow(/no space left/)
    expect(readFileSync(path).equals(old)).toBe(true)
    expect(readdirSync(point)).toEqual(['a'])
  })

  test('a read-only file system can be read, and reports why it cannot be written', async (context) => {
    const point = mountTmpfs('size=64k')
    if (point === undefined) return context.skip('needs the right to mount')
    writeFileSync(join(point, 'a'), 'old')
    execFileSync('mount', ['-o', 'remount,ro', point])
    const access = guard({ roots: [point] })
    await expect(access.write(join(point, 'a'), bytes('new'))).rejects.toThrow(/read-only/)
    await expect(access.write(join(point, 'b/c'), bytes('new'))).rejects.toThrow(/read-only/)
    expect((await access.read(join(point, 'a'))).size).toBe(3)
  })
})
