import { execFileSync } from 'node:child_process'
import fs, { existsSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import {
  descriptorOf,
  type InputFileOptions,
  readDescriptor,
  readInputFile,
} from '../../../src/lib/fs/readInputFile.ts'
import { readRegular } from '../../../src/lib/fs/readRegular.ts'
import { makeFiles } from '../../helpers/effects/makeFiles.ts'
import { stubCalls } from '../../helpers/stubCalls.ts'

function openPlace() {
  const base = makeFiles()
  return (name: string, content?: string | Buffer) => {
    if (content !== undefined) writeFileSync(join(base, name), content)
    return join(base, name)
  }
}

/** The text, or the reason and the message with `F` for the file. */
async function read(file: string, options: Partial<InputFileOptions> = {}): Promise<string> {
  return readInputFile(file, { label: '--file', reason: 'config', maxBytes: 2_500_000, ...options }).catch(
    (error: unknown) => {
      if (!(error instanceof RunError)) throw error
      return `${error.reason}: ${error.message.replace(file, 'F')}`
    },
  )
}

/** The descriptors that are closed from now on, until the test ends. */
function watchClosed(): readonly number[] {
  const { closeSync } = fs
  const closed: number[] = []
  stubCalls({
    closeSync: (fd: number) => {
      closed.push(fd)
      closeSync(fd)
    },
  })
  return closed
}

describe('a file that the user named', () => {
  it('is read whole, through a link too, and closed', async () => {
    const at = openPlace()
    symlinkSync(at('a', 'ä\n'), at('link'))
    const closed = watchClosed()
    expect([await read(at('a')), await read(at('link'))]).toEqual(['ä\n', 'ä\n'])
    expect(closed).toHaveLength(2)
    expect(await read(at('empty', ''))).toBe('')
  })

  it('may be as large as the limit, and no larger', async () => {
    const at = openPlace()
    expect(await read(at('a', 'abc'), { maxBytes: 3 })).toBe('abc')
    const large = at('large', '')
    truncateSync(large, 2_500_001)
    expect(await read(large)).toBe('config: --file F: is larger than 2 MB.')
  })

  it.runIf(existsSync('/proc/self/status'))(
    'has the limit too where its size is not known before (needs Linux)',
    async () => {
      expect(await read('/proc/self/status', { maxBytes: 10 })).toBe('config: --file F: is larger than 0 MB.')
    },
  )

  it('is refused for what it is, with the reason of the caller', async () => {
    const at = openPlace()
    mkdirSync(at('folder'))
    execFileSync('mkfifo', [at('pipe')])
    expect(await read(at('folder'))).toBe('config: --file F: is not a regular file.')
    expect(await read(at('pipe'))).toBe('config: --file F: is not a regular file.')
    expect(await read('/dev/null', { reason: 'cannot_create' })).toBe('cannot_create: --file F: is not a regular file.')
    expect(await read(at('gone'))).toBe('config: --file F: there is no such file.')
    expect(await read(join(at('a', ''), 'b'))).toBe('config: --file F: cannot be opened (ENOTDIR).')
    expect(await read(at('latin', Buffer.from('caf\xe9', 'latin1')))).toBe('config: --file F: is not UTF-8 text.')
  })

  it('tells the cause of what the system said', async () => {
    const options = { label: 'x', reason: 'config', maxBytes: 1, mayInherit: true } as const
    await expect(readInputFile(openPlace()('gone'), options)).rejects.toMatchObject({ cause: { code: 'ENOENT' } })
    expect(await read('/dev/fd/999999', { mayInherit: true })).toBe('config: --file F: cannot be read.')
    await expect(readInputFile('/dev/fd/999999', options)).rejects.toMatchObject({ cause: { code: 'EBADF' } })
  })
})

describe('what a shell hands over by number', () => {
  it('is read to its end, and closed', async () => {
    const text = 'ä'.repeat(100_000)
    const fd = openSync(openPlace()('a', text), 'r')
    const closed = watchClosed()
    expect(await read(`/dev/fd/${fd}`, { mayInherit: true })).toBe(text)
    expect(closed).toEqual([fd])
  })

  it('has the limit too, and is closed before its end', async () => {
    const at = openPlace()
    const path = at('a', '')
    truncateSync(path, 2_500_001)
    const fd = openSync(path, 'r')
    const closed = watchClosed()
    expect(await read(`/dev/fd/${fd}`, { mayInherit: true })).toBe('config: --file F: is larger than 2 MB.')
    expect(closed).toEqual([fd])
    // The next file has the number of the one that was left early, and is not closed in its place.
    const exact = openSync(at('b', 'abc'), 'r')
    expect(await read(`/dev/fd/${exact}`, { mayInherit: true, maxBytes: 3 })).toBe('abc')
  })

  it('is refused where the limit is the end of what was read at once', async () => {
    const fd = openSync(openPlace()('a', 'x'.repeat(64 * 1024 + 1)), 'r')
    const said = await read(`/dev/fd/${fd}`, { mayInherit: true, maxBytes: 64 * 1024 })
    expect(said).toBe('config: --file F: is larger than 0 MB.')
  })

  it('is text too', async () => {
    const fd = openSync(openPlace()('a', Buffer.from([0xff])), 'r')
    expect(await read(`/dev/fd/${fd}`, { mayInherit: true })).toBe('config: --file F: is not UTF-8 text.')
  })

  it('is only taken where the caller allows it', async () => {
    const fd = openSync(openPlace()('a', 'ä'), 'r')
    const closed = watchClosed()
    await read(`/dev/fd/${fd}`)
    expect(closed).not.toContain(fd)
    await read(`/dev/fd/${fd}`, { mayInherit: true })
    expect(closed).toContain(fd)
  })

  it('is not read on when it is too large', async () => {
    const at = openPlace()
    truncateSync(at('a', ''), 1_000_000)
    expect(await readDescriptor(openSync(at('a'), 'r'), 100_000)).toHaveLength(2 * 64 * 1024)
  })

  it.each([
    ['/dev/fd/63', 63],
    ['/proc/self/fd/3', 3],
    ['/dev/fd/0123456', undefined],
    ['/dev/fd/', undefined],
    ['/dev/fd/6x', undefined],
    ['/x/dev/fd/6', undefined],
    ['/dev/fd/6/x', undefined],
    ['/proc/1/fd/3', undefined],
  ])('%s is number %s', (path, number) => {
    expect(descriptorOf(path)).toBe(number)
  })
})

describe('readRegular', () => {
  it('gives a regular file of the limit, and nothing else', () => {
    const at = openPlace()
    symlinkSync(at('a', 'abc'), at('link'))
    execFileSync('mkfifo', [at('pipe')])
    mkdirSync(at('folder'))
    expect(readRegular(at('a'), 3)?.toString()).toBe('abc')
    expect(readRegular(at('a'))?.toString()).toBe('abc')
    expect(readRegular(at('a'), 2)).toBeUndefined()
    for (const name of ['link', 'pipe', 'folder', 'gone']) expect(readRegular(at(name))).toBeUndefined()
    expect(readRegular(undefined)).toBeUndefined()
  })

  it('leaves nothing open', () => {
    const at = openPlace()
    at('a', 'abc')
    const closed = watchClosed()
    for (const limit of [3, 2]) readRegular(at('a'), limit)
    expect(closed).toHaveLength(2)
  })
})
