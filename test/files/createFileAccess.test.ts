import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type FileAccess, FileError } from '../../src/contracts/files.ts'
import { createFileAccess } from '../../src/files/createFileAccess.ts'
import type { FilePlaces } from '../../src/files/createPlaceCheck.ts'
import { linkRace } from '../faults/linkRace.ts'
import { makeFiles, writeFiles } from '../helpers/effects/makeFiles.ts'
import { times } from '../helpers/sampled.ts'

const isRoot = process.getuid?.() === 0
const bytes = (text: string) => new TextEncoder().encode(text)
let base = ''
let root = ''
const inRoot = (name: string) => join(root, name)
const guard = (places: Partial<FilePlaces> = {}) => createFileAccess({ roots: [root], forbidden: [], ...places })

beforeEach(() => {
  base = makeFiles({ 'project/': '', 'outside/secret': 'SECRET' })
  root = join(base, 'project')
})

/** How each call ends, such as `read a`, `write ../b`: with the code of its error, or `done`. */
async function ends(access: FileAccess, ...calls: readonly string[]): Promise<string> {
  const all = calls.map(async (call) => {
    const [name, path = ''] = call.split(' ')
    const at = resolve(root, path)
    const work =
      name === 'write' ? access.write(at, bytes('x')) : access[name as 'read' | 'list' | 'stat' | 'remove'](at)
    return work.then(
      () => 'done',
      (error: unknown) => (error instanceof FileError ? error.code : String(error)),
    )
  })
  return (await Promise.all(all)).join(' ')
}

describe('reading', () => {
  test('gives the bytes, the size and a stamp', async () => {
    writeFileSync(inRoot('a'), 'hello')
    const { bytes: read, size, stamp } = await guard().read(inRoot('a'))
    expect(Buffer.from(read).toString()).toBe('hello')
    expect(size).toBe(5)
    const sha256 = createHash('sha256').update('hello').digest('hex')
    expect(stamp).toEqual({ size: 5, mtimeMs: expect.any(Number), isWhole: true, sha256 })
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

  test('refuses pipes and devices immediately', async () => {
    execFileSync('mkfifo', [inRoot('pipe')])
    const hasDevice = isRoot && spawnSync('mknod', [inRoot('zero'), 'c', '1', '5']).status === 0
    const calls = [...Array(6).fill('read pipe'), 'write pipe', ...(hasDevice ? ['read zero'] : [])]
    expect(await ends(guard(), ...calls)).toBe(calls.map(() => 'not_regular').join(' '))
  })

  test.each([
    ...['/proc/self/environ', '/proc/kmsg', '/proc/self/root/etc/hostname', '/dev/zero', '/dev/null'],
    '/sys/power/state',
  ])('never opens %s, even if a rule names it', async (path) => {
    const access = guard({ verdict: () => 'allow', roots: ['/'] })
    expect(await ends(access, `read ${path}`, `write ${path}`, `list ${dirname(path)}`)).toBe(
      'protected protected protected',
    )
  })
})

describe('places', () => {
  test.each(['../outside/secret', '/etc/hostname', '..', '../project-2/x'])('%s is outside', async (path) => {
    const calls = ['read', 'write', 'stat', 'remove'].map((name) => `${name} ${path}`)
    expect(await ends(guard(), ...calls)).toBe('outside outside outside outside')
  })

  test('a look at a path, or a list, is a read, and a removal is a write; a rule may open one of them', async () => {
    writeFileSync(inRoot('policy.yml'), '')
    const verdict = (asked: string, way: string) => (asked.startsWith(base) && way === 'read' ? 'allow' : undefined)
    const access = guard({ verdict, readOnly: [inRoot('policy.yml')] })
    expect(await access.stat(join(base, 'outside/secret'))).toMatchObject({ kind: 'file', size: 6 })
    expect(await access.list(join(base, 'outside'))).toEqual([{ name: 'secret', kind: 'file' }])
    expect((await access.read(join(base, 'outside/secret'))).size).toBe(6)
    const changes = ['write ../outside/secret', 'remove ../outside/secret', 'remove policy.yml']
    expect(await ends(access, ...changes)).toBe('outside outside protected')
    expect(existsSync(inRoot('policy.yml'))).toBe(true)
  })

  test('the root of all folders is a folder', async () => {
    expect(await guard({ roots: ['/'] }).stat('/')).toMatchObject({ kind: 'directory' })
  })

  test('forbidden and read-only places, even through a link', async () => {
    writeFiles(root, { 'records/log': '', 'records/blobs/b': 'blob', 'policy.yml': '', link: '-> records' })
    const access = guard({
      forbidden: [inRoot('link')],
      readOnly: [inRoot('policy.yml')],
      extraReadable: [inRoot('records/blobs')],
    })
    const calls = ['read records/log', 'write records/new', 'write records/blobs/b', 'write policy.yml']
    expect(await ends(access, ...calls)).toBe('protected protected protected protected')
    expect((await access.read(inRoot('records/blobs/b'))).size).toBe(4)
    expect((await access.read(inRoot('policy.yml'))).size).toBe(0)
  })
})

describe('links', () => {
  test('never follows a link: as last name, in the path, or dangling', async () => {
    writeFiles(root, { file: '-> ../outside/secret', folder: '-> ../outside', dangling: '-> ../outside/new' })
    const writes = ['file', 'folder/new', 'folder/deep/new', 'dangling'].map((name) => `write ${name}`)
    const calls = ['read file', 'read folder/secret', ...writes, 'list folder', 'remove folder/secret']
    expect(await ends(guard(), ...calls)).toBe(calls.map(() => 'changed').join(' '))
    expect(await guard().stat(inRoot('file'))).toMatchObject({ kind: 'link' })
    expect(readdirSync(join(base, 'outside'))).toEqual(['secret'])
    expect(readFileSync(join(base, 'outside/secret'), 'utf8')).toBe('SECRET')
  })

  test('reads but never writes a file with a second hard link', async () => {
    linkSync(join(base, 'outside/secret'), inRoot('twin'))
    expect((await guard().read(inRoot('twin'))).size).toBe(6)
    expect(await ends(guard(), 'write twin')).toBe('protected')
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

  test.skipIf(isRoot)('does not replace a file that may not be written (not as root)', async () => {
    writeFileSync(inRoot('fixed'), 'old', { mode: 0o444 })
    expect(await ends(guard(), 'write fixed')).toBe('io')
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
    writeFiles(root, { a: '', 'folder/': '' })
    await guard().remove(inRoot('a'))
    expect(existsSync(inRoot('a'))).toBe(false)
    expect(await ends(guard(), 'remove a', 'remove folder')).toBe('not_found not_regular')
  })
})

test('a list reports a missing folder, or one that is a file', async () => {
  writeFileSync(inRoot('b'), '')
  expect(await ends(guard(), 'list x')).toBe('not_found')
  await expect(guard().list(inRoot('b'))).rejects.toThrow(/is not a folder, or lies below a file/)
  await expect(guard().read(inRoot('x/y'))).rejects.toThrow(`${inRoot('x/y')} does not exist`)
})

describe('looking at several entries', () => {
  test('tells kind and size, without those that are gone or refused', async () => {
    writeFiles(root, { 'src/inner/': '', 'src/a': 'abc', 'src/key': 'secret' })
    const access = guard({ verdict: (path) => (path === inRoot('src/key') ? 'deny' : undefined) })
    const found = await access.statIn(inRoot('src'), ['a', 'inner', 'gone', 'key'])
    expect([...found.keys()]).toEqual(['a', 'inner'])
    expect(found.get('a')).toMatchObject({ kind: 'file', size: 3 })
    expect(found.get('inner')).toMatchObject({ kind: 'directory' })
  })

  test('tells nothing of a folder outside, gone, or now reached by a link', async () => {
    writeFiles(root, { 'src/a': 'abc', link: '-> src' })
    for (const folder of ['../outside', 'gone', 'link'])
      expect((await guard().statIn(inRoot(folder), ['a', 'secret'])).size).toBe(0)
  })

  test('passes on what is not a refusal: an error of the system, and a defect', async () => {
    const long = guard().statIn(root, ['a', 'x'.repeat(300)])
    await expect(long).rejects.toMatchObject({
      name: 'FileError',
      message: expect.stringContaining('has a name that is too long'),
    })
    const verdict = () => {
      throw new Error('a defect')
    }
    await expect(guard({ verdict }).statIn(root, ['a'])).rejects.toThrow('a defect')
  })
})

/** Mounting needs root and a kernel that lets it. */
function mountTmpfs(options: string): string | undefined {
  const point = join(base, 'mount')
  mkdirSync(point)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', point], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', [point]))
  return point
}
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
