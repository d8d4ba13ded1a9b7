import { execFileSync } from 'node:child_process'
import fs, { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFolder, openOrMakeFolder } from '../../src/files/openFolder.ts'
import { resolvePath } from '../../src/files/resolvePath.ts'
import { stubCalls } from '../helpers/stubCalls.ts'
import { recordHandles } from '../helpers/tools/recordHandles.ts'
import { createToolContext } from '../helpers/tools/toolContext.ts'

const bytes = (text: string) => Buffer.from(text)
/** The rest of the test runs as if on another system, which has no `/proc/self/fd`. */
function pretend(platform: NodeJS.Platform): void {
  const real = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: real }))
}

type Call = (path: string, ...more: unknown[]) => unknown
/** The rest of the test gets these from `node:fs/promises`. */
const stub = (calls: Readonly<Record<string, Call>>) => stubCalls(calls, fs.promises)

it('leaves nothing open, whatever comes of it', async () => {
  const { files, cwd, at, put } = createToolContext()
  put({ a: 'one', 'sub/': '' })
  const { calls } = recordHandles(cwd)
  await files.read(at('a'))
  await files.stat(at('a'))
  await files.list(cwd)
  await files.statIn(cwd, ['a', 'gone'])
  await files.statIn(cwd, ['x'.repeat(300)]).catch(() => undefined)
  await files.read(at('gone')).catch(() => undefined)
  await files.list(at('gone')).catch(() => undefined)
  await files.remove(at('sub')).catch(() => undefined)
  expect(calls.filter((call) => call !== 'close a')).toEqual(Array(7).fill('close .'))
  expect(calls.filter((call) => call === 'close a')).toHaveLength(1)
})

describe.each(['linux', 'darwin'] as const)('on %s', (platform) => {
  it('reads, writes and lists, and follows no link', async () => {
    const { files, cwd, at, put } = createToolContext()
    put({ '../outside/deep/': '', 'sub/': '', link: '-> ../outside' })
    pretend(platform)
    await files.write(at('sub/a'), bytes('one'))
    expect(readFileSync(at('sub/a'), 'utf8')).toBe('one')
    expect((await files.read(at('sub/a'))).size).toBe(3)
    expect(await files.list(at('sub'))).toEqual([{ name: 'a', kind: 'file' }])
    const swapped = 'is reached by a link that was not there when the call was judged'
    await expect(files.list(at('link'))).rejects.toThrow(`${at('link')} ${swapped}`)
    await expect(files.read(at('link/deep/a'))).rejects.toThrow(`${at('link/deep')} ${swapped}`)
    expect(await files.list(cwd)).toEqual([
      { name: 'link', kind: 'link' },
      { name: 'sub', kind: 'directory' },
    ])
  })

  it('opens the folder itself, and closes it', async () => {
    const { cwd } = createToolContext()
    pretend(platform)
    const folder = await openFolder(cwd)
    const self = platform === 'linux' ? expect.stringMatching(/^\/proc\/self\/fd\/\d+$/) : cwd
    expect(folder).toMatchObject({ path: cwd, self })
    expect(folder.entry('a')).toBe(join(folder.self, 'a'))
    await folder.close()
    await expect(folder.sync()).resolves.toBeUndefined()
  })

  it('closes one that is reached by a link', async () => {
    const { cwd, at, put } = createToolContext()
    put({ '../outside/deep/': '', link: '-> ../outside' })
    pretend(platform)
    const { calls } = recordHandles(cwd)
    await expect(openFolder(at('link/deep'))).rejects.toMatchObject({ code: 'changed' })
    expect(calls).toEqual(['close link/deep'])
  })
})

it('without /proc, a folder that was replaced after it was opened is not used', async () => {
  const { at, put } = createToolContext()
  put({ 'a/': '', 'b/': '' })
  pretend('darwin')
  const { lstat } = fs.promises
  stub({ lstat: (path) => lstat(path === at('a') ? at('b') : path) })
  await expect(openFolder(at('a'))).rejects.toMatchObject({ code: 'changed' })
  await (await openFolder(at('b'))).close()
})

describe('a folder that is made', () => {
  it('each one inside one that is held open, and no more are held than needed', async () => {
    const { cwd, at } = createToolContext()
    const { calls } = recordHandles(cwd)
    const folder = await openOrMakeFolder(at('a/b'))
    expect(folder.path).toBe(at('a/b'))
    expect(calls).toEqual(['mkdir a', 'close .', 'mkdir a/b', 'close a'])
    await folder.close()
    await (await openOrMakeFolder(at('a/b'))).close()
    expect(calls.slice(4)).toEqual(['close a/b', 'close a/b'])
  })

  it('is not made where another made it meanwhile, nor through a link or a file', async () => {
    const { at, put } = createToolContext()
    put({ dangling: '-> ../outside', file: '', '../other/deep/': '', link: '-> ../other' })
    await expect(openOrMakeFolder(at('dangling/a'))).rejects.toMatchObject({ code: 'changed' })
    await expect(openOrMakeFolder(at('file/a/b'))).rejects.toThrow('is not a folder, or lies below a file')
    // What stands in the way is named, and nothing is tried above it.
    await expect(openOrMakeFolder(at('link/deep'))).rejects.toThrow(`${at('link/deep')} is reached by`)
    const { mkdir } = fs.promises
    stub({ mkdir: async (path) => mkdir(path).then(() => mkdir(path)) })
    await (await openOrMakeFolder(at('new'))).close()
    expect(fs.existsSync(at('../outside'))).toBe(false)
  })
})

it('what is not a regular file is named for what it is', async () => {
  const { files, at, put } = createToolContext()
  put({ 'folder/': '', link: '-> folder', a: '' })
  execFileSync('mkfifo', [at('pipe')])
  const server = createServer().listen(at('socket'))
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const isRefused = (name: string, what: string, code = 'not_regular') =>
    expect(files.read(at(name))).rejects.toMatchObject({ code, message: `${at(name)} is ${what}` })
  await isRefused('folder', 'a folder, not a regular file')
  await isRefused('pipe', 'a named pipe, not a regular file')
  await isRefused('socket', 'a socket, not a regular file')
  await isRefused('link', 'a link that was not there when the call was judged', 'changed')
  const { lstat } = fs.promises
  stub({ lstat: () => lstat('/dev/null') })
  await isRefused('a', 'a device, not a regular file')
})

it('a read goes on where the system gives a part, and ends where a file has become shorter', async () => {
  const { files, at, put } = createToolContext()
  put({ a: 'abcdefgh' })
  const { open } = fs.promises
  let most = 3
  stub({
    open: async (path, flags) => {
      const handle = await open(path, flags as number)
      const read = handle.read.bind(handle)
      const part = (buffer: Buffer, offset: number, length: number, position: number) =>
        read(buffer, offset, Math.min(length, most), position)
      return Object.assign(handle, { read: part })
    },
  })
  expect(Buffer.from((await files.read(at('a'), { offset: 1 })).bytes).toString()).toBe('bcdefgh')
  most = 0
  expect(await files.read(at('a'))).toMatchObject({ size: 8, stamp: { isWhole: false, sha256: '' } })
})

it('a list is in the order of its names, by their code units, also of those that are not UTF-8', async () => {
  const { files, cwd, at, put } = createToolContext()
  put({ b: '', 'a\uffee': '', 'a😀': '', a: '' })
  expect((await files.list(cwd)).map(({ name }) => name)).toEqual(['a', 'a😀', 'a\uffee', 'b'])
  writeFileSync(Buffer.from(at('caf\xe9'), 'latin1'), '')
  mkdirSync(Buffer.from(at('caf\xe8'), 'latin1'))
  symlinkSync('b', Buffer.from(at('caf\xe7'), 'latin1'))
  expect((await files.list(cwd)).slice(-3)).toEqual([
    { name: 'caf\\xe7', kind: 'link' },
    { name: 'caf\\xe8', kind: 'directory' },
    { name: 'caf\\xe9', kind: 'file' },
  ])
})

it('an error of the system passes through a look as what it is', async () => {
  const { files, cwd, at, put } = createToolContext()
  put({ a: '' })
  expect(await files.stat(at('gone/b'))).toBeUndefined()
  await expect(files.stat(at('x'.repeat(300)))).rejects.toThrow('has a name that is too long')
  await expect(files.write(at('x'.repeat(300)), bytes('x'))).rejects.toThrow('has a name that is too long')
  expect(await files.stat(at('a'))).toMatchObject({ kind: 'file', size: 0, isExecutable: false })
  expect(await files.stat(cwd)).toMatchObject({ kind: 'directory', isExecutable: true })
})

it('a path may have forty links and 4,095 bytes', () => {
  const { cwd, at, put } = createToolContext()
  for (let index = 1; index <= 41; index++) put({ [`l${index}`]: index === 1 ? '-> end' : `-> l${index - 1}` })
  expect(resolvePath('l40', cwd, '/').resolved).toBe(at('end'))
  expect(resolvePath('l41', cwd, '/')).toMatchObject({ resolved: at('l41'), problem: 'too many symbolic links' })
  const long = (length: number) => `/${'a/'.repeat(2_047)}`.slice(0, length)
  expect(resolvePath(`${long(4_094)}b`, cwd, '/').problem).toBeUndefined()
  expect(resolvePath(`${long(4_094)}bc`, cwd, '/').problem).toBe('the path is too long')
  // The kernel counts the text that it is given, not what is left of it.
  expect(resolvePath(`/${'./'.repeat(2_046)}ab`, cwd, '/')).toEqual(expect.objectContaining({ resolved: '/ab' }))
  expect(resolvePath(`/${'./'.repeat(2_046)}ab`, cwd, '/').problem).toBeUndefined()
  expect(resolvePath(`/${'./'.repeat(2_046)}abc`, cwd, '/').problem).toBe('the path is too long')
  expect(resolvePath(`/${'x'.repeat(300)}`, cwd, '/').problem).toBe('the path is too long')
  expect(resolvePath(`/${'é'.repeat(2_100)}`, cwd, '/').problem).toBe('the path is too long')
})
