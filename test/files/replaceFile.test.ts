import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { recordHandles } from '../helpers/tools/recordHandles.ts'
import { createToolContext } from '../helpers/tools/toolContext.ts'

const bytes = (text: string) => Buffer.from(text)
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

describe('the order of a write', () => {
  it('the bytes are on the disk before they have the name, and the name before the write is told', async () => {
    const { files, cwd, at, put } = createToolContext()
    put({ a: 'old' })
    const { calls } = recordHandles(cwd)
    await files.write(at('a'), bytes('new'))
    expect(calls).toEqual([
      ...['writeFile new', 'chmod new', 'sync new', 'close new', 'rename new a'],
      ...['sync .', 'close .'],
    ])
  })

  it('a new name in a new folder', async () => {
    const { files, cwd, at } = createToolContext()
    const { calls } = recordHandles(cwd)
    await files.write(at('sub/a'), bytes('new'))
    expect(calls).toEqual([
      ...['mkdir sub', 'close .'],
      ...['writeFile new', 'sync new', 'close new', 'rename new sub/a', 'sync sub', 'close sub'],
    ])
  })

  it('a removed name', async () => {
    const { files, cwd, at, put } = createToolContext()
    put({ a: 'old' })
    const { calls } = recordHandles(cwd)
    await files.remove(at('a'))
    expect(calls).toEqual(['unlink a', 'sync .', 'close .'])
  })
})

describe('a write that fails', () => {
  it.each([
    ['writeFile new', 'ENOSPC', 'no space left'],
    ['chmod new', 'EPERM', 'operation not permitted'],
    ['sync new', 'EIO', 'failed: EIO'],
    ['rename new a', 'EACCES', 'permission denied'],
  ])('at %s leaves the old bytes, no other file, and nothing open', async (call, code, message) => {
    const { files, cwd, at, put } = createToolContext()
    put({ a: 'old' })
    const { calls, fail } = recordHandles(cwd)
    fail(call, code)
    await expect(files.write(at('a'), bytes('new'))).rejects.toThrow(message)
    expect(readFileSync(at('a'), 'utf8')).toBe('old')
    expect(readdirSync(cwd)).toEqual(['a'])
    expect(calls.filter((each) => each === 'close new')).toHaveLength(1)
    expect(calls.at(-1)).toBe('close .')
  })

  it('says what failed, not that the temporary file could not be removed', async () => {
    const { files, cwd, at } = createToolContext()
    const { fail } = recordHandles(cwd)
    fail('sync new', 'ENOSPC')
    fail('unlink new', 'EACCES')
    await expect(files.write(at('a'), bytes('new'))).rejects.toThrow('no space left')
  })

  it.each([
    ['EINVAL', true],
    ['ENOTSUP', true],
    ['EBADF', true],
    ['EPERM', true],
    ['EIO', false],
  ])('a folder whose sync says %s: is that good enough? %s', async (code, isFine) => {
    const { files, cwd, at } = createToolContext()
    const { fail } = recordHandles(cwd)
    fail('sync .', code)
    const written = files.write(at('a'), bytes('new'))
    if (isFine) expect((await written).size).toBe(3)
    else await expect(written).rejects.toThrow('EIO')
  })

  it('a folder that cannot be made is named, and one that another made in between is used', async () => {
    const { files, cwd, at } = createToolContext()
    const { fail, calls } = recordHandles(cwd)
    fail('mkdir sub', 'ENOSPC')
    await expect(files.write(at('sub/a'), bytes('new'))).rejects.toThrow('no space left')
    expect(calls.at(-1)).toBe('close .')
    fail('mkdir sub', 'EEXIST')
    await expect(files.write(at('sub/a'), bytes('new'))).rejects.toThrow(`${at('sub/a')} does not exist`)
    expect(existsSync(at('sub'))).toBe(false)
  })
})

describe('owner and mode', () => {
  it.each([
    ['is kept', undefined, 0o640, '640'],
    ['also with the sticky bit', undefined, 0o1751, '1751'],
    ['may be run by all who may read it', true, 0o640, '750'],
    ['may be run by its owner alone', true, 0o600, '700'],
    ['may be run by nobody', false, 0o755, '644'],
    ['keeps other bits', false, 0o1755, '1644'],
  ])('a file %s', async (_, isExecutable, before, after) => {
    const { files, at, put } = createToolContext()
    put({ a: 'old' })
    chmodSync(at('a'), before)
    await files.write(at('a'), bytes('new'), isExecutable === undefined ? {} : { isExecutable })
    expect(modeOf(at('a'))).toBe(after)
  })

  it('a new file has the mode that the process gives to new files', async () => {
    const { files, at } = createToolContext()
    const asUsual = 0o666 & ~process.umask()
    await files.write(at('a'), bytes('new'))
    expect(modeOf(at('a'))).toBe(asUsual.toString(8))
    await files.write(at('b'), bytes('new'), { isExecutable: true })
    expect(modeOf(at('b'))).toBe((asUsual | ((asUsual & 0o444) >> 2)).toString(8))
  })

  it.runIf(process.getuid?.() === 0)('the owner is kept where that is allowed (as root)', async () => {
    const { files, cwd, at } = createToolContext()
    const { chownSync } = await import('node:fs')
    for (const [name, uid, gid] of [
      ['both', 1234, 1235],
      ['user', 1234, 0],
      ['group', 0, 1235],
    ] as const) {
      writeFileSync(at(name), 'old')
      chownSync(at(name), uid, gid)
      await files.write(at(name), bytes('new'))
      expect([statSync(at(name)).uid, statSync(at(name)).gid]).toEqual([uid, gid])
    }
    const { fail, calls } = recordHandles(cwd)
    fail('chown new', 'EPERM')
    await files.write(at('both'), bytes('newer'))
    expect(calls).toContain('chown new')
    expect(readFileSync(at('both'), 'utf8')).toBe('newer')
    fail('chown new', 'EIO')
    writeFileSync(at('user'), 'old')
    await expect(files.write(at('user'), bytes('newest'))).rejects.toThrow('EIO')
    expect(readFileSync(at('user'), 'utf8')).toBe('old')
  })
})

it('says why it does not write, and what is in the way', async () => {
  const { files, at, put } = createToolContext()
  put({ 'folder/': '', a: 'one' })
  await expect(files.write(at('folder'), bytes('x'))).rejects.toThrow(`${at('folder')} is a folder, not a regular file`)
  await expect(files.remove(at('gone'))).rejects.toThrow(`${at('gone')} does not exist`)
  await expect(files.write(at('a/b'), bytes('x'))).rejects.toThrow(`${at('a/b')} is not a folder, or lies below a file`)
})
