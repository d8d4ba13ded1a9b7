import { execFileSync, spawn } from 'node:child_process'
import fs, {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openOutputFile, outputProblem } from '../../src/files/openOutputFile.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { stubCalls } from '../helpers/stubCalls.ts'

function makeFolders() {
  const base = makeFiles({ 'workspace/out/': '', profile: 'as before' })
  const read = (name: string) => readFileSync(join(base, name), 'utf8')
  return { base, read, shared: join(base, 'workspace'), victim: join(base, 'profile') }
}

describe('openOutputFile', () => {
  // Also in a folder of the workspace that the run did not make.
  it.each(['workspace/out/summary.md', 'workspace/new/deep/summary.md', 'summary.md'])(
    'adds to and replaces %s',
    async (name) => {
      const { base, read, shared } = makeFolders()
      const file = openOutputFile(join(base, name), [shared])
      expect(file.size()).toBe(0)
      await file.append('one\n')
      await file.append('two\n')
      expect([read(name), file.size()]).toEqual(['one\ntwo\n', 8])
      await file.replace('three')
      expect(read(name)).toBe('three')
    },
  )

  it('passes a text to the reader of a pipe, but does not wait for one', async () => {
    const pipe = join(makeFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const cause = expect.objectContaining({ code: 'ENXIO' })
    expect(() => openOutputFile(pipe, [])).toThrow(new Error('it is a pipe that nobody reads', { cause }))
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = text(reader.stdout)
    const file = await vi.waitFor(() => openOutputFile(pipe, []), 10_000)
    expect(file.size()).toBe(0)
    await file.append('x'.repeat(200_000))
    expect(await ended).toBe('x'.repeat(200_000))
  })

  /** Every text is written in half, and then there is no space. */
  function fillDisk(): void {
    const real = { appendFileSync: fs.appendFileSync, writeFileSync: fs.writeFileSync }
    const cut = (write: typeof fs.appendFileSync): typeof fs.appendFileSync => {
      return (path, text, options) => {
        write(path, text.slice(0, text.length / 2), options)
        throw new Error('ENOSPC')
      }
    }
    stubCalls({ appendFileSync: cut(real.appendFileSync), writeFileSync: cut(real.writeFileSync) })
  }

  it('is as before where the disk is full: no half of a text, and no new file', async () => {
    const { base, read, victim } = makeFolders()
    fillDisk()
    await expect(openOutputFile(victim, []).append('more')).rejects.toThrow('ENOSPC')
    expect(read('profile')).toBe('as before')
    for (const write of ['append', 'replace'] as const) {
      await expect(openOutputFile(join(base, 'new'), [])[write]('more')).rejects.toThrow('ENOSPC')
      expect(existsSync(join(base, 'new'))).toBe(false)
    }
    // What stood there is lost with the first byte of another text: an empty file says less than a wrong one.
    await expect(openOutputFile(victim, []).replace('more')).rejects.toThrow('ENOSPC')
    expect(read('profile')).toBe('')
  })

  it.each([
    ['a folder', '.', 'EISDIR', 'open'],
    ['a missing folder', 'missing/summary.md', 'ENOENT', 'open'],
    ['a device that is full', '/dev/full', 'ENOSPC', 'write'],
  ])('says why nothing was written: %s', async (_, name, code, syscall) => {
    const { base, read } = makeFolders()
    await expect(openOutputFile(resolve(base, name), []).append('x')).rejects.toMatchObject({ code, syscall })
    expect(read('profile')).toBe('as before')
  })

  it('keeps what stood in a file of the workspace, even if a child removes it', async () => {
    const { shared } = makeFolders()
    const path = join(shared, 'out/summary.md')
    writeFileSync(path, 'häll\n')
    const file = openOutputFile(path, ['/elsewhere', shared])
    expect(file.size()).toBe(6)
    rmSync(path)
    await file.append('one\n')
    expect([readFileSync(path, 'utf8'), file.size()]).toEqual(['häll\none\n', 10])
  })

  it.each([
    ['in place of the file from the start', 'file', true],
    ['in place of the file', 'file', false],
    ['in place of its folder', 'folder', false],
  ])('in the workspace, reads and writes nothing through a link %s', async (_, place, isEarly) => {
    const { base, read, shared, victim } = makeFolders()
    const path = join(shared, 'out/profile')
    const link = () => {
      if (place === 'file') return symlinkSync(victim, path)
      renameSync(join(shared, 'out'), join(shared, 'away'))
      symlinkSync(base, join(shared, 'out'))
    }
    if (isEarly) link()
    const file = openOutputFile(path, [shared])
    if (!isEarly) link()
    expect(file.size()).toBe(0)
    await expect(file.append('evil')).rejects.toMatchObject({ code: 'changed' })
    await expect(file.replace('evil')).rejects.toMatchObject({ code: 'changed' })
    expect(read('profile')).toBe('as before')
  })

  it("follows a user's link outside the folders that children can write", async () => {
    const { base, read, shared, victim } = makeFolders()
    symlinkSync(victim, join(base, 'link'))
    await openOutputFile(join(base, 'link'), [shared]).append('!')
    expect(read('profile')).toBe('as before!')
  })
})

function makePipe() {
  const path = join(makeFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(reader))
  const read = () => {
    const buffer = Buffer.alloc(1_000_000)
    try {
      return buffer.toString('utf8', 0, readSync(reader, buffer))
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code)
    }
  }
  return { path, read }
}

/** What the next writes to any file do, until the test ends: their error, or the number of bytes that they take. */
function scriptWrites(...answers: readonly (number | string)[]): { readonly given: string[] } {
  const { writeSync } = fs
  const given: string[] = []
  const waiting = [...answers]
  stubCalls({
    writeSync: (descriptor: number, bytes: Buffer) => {
      const answer = waiting.shift()
      given.push(Buffer.from(bytes).toString())
      if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer })
      return writeSync(descriptor, bytes, 0, answer ?? bytes.length)
    },
  })
  return { given }
}

it('writes the whole text, also where the pipe takes a part or is full for a moment, and then ends', async () => {
  const { path, read } = makePipe()
  const pipe = openOutputFile(path, [])
  const { given } = scriptWrites(2, 'EAGAIN', 3)
  await pipe.append('äbcdef')
  expect(given).toEqual(['äbcdef', 'bcdef', 'bcdef', 'ef'])
  expect([read(), read()]).toEqual(['äbcdef', ''])
})

it('passes on another error, and closes the pipe', async () => {
  const { path, read } = makePipe()
  const pipe = openOutputFile(path, [])
  scriptWrites('EIO')
  await expect(pipe.append('abc')).rejects.toThrow('EIO')
  expect(read()).toBe('')
})

it('gives up on a reader that does not read for five seconds, and no earlier', async () => {
  const { path } = makePipe()
  const pipe = openOutputFile(path, [])
  // The pipe takes no byte, then one, then none. Each look is two seconds later than the one before.
  let time = 0
  stubCalls({ now: () => (time += 2_000) }, performance)
  const { given } = scriptWrites('EAGAIN', 'EAGAIN', 1, 'EAGAIN', 'EAGAIN', 'EAGAIN', 'EAGAIN', 'EAGAIN')
  await expect(pipe.append('abc')).rejects.toThrow('the reader of the pipe does not read')
  expect(given).toEqual(['abc', 'abc', 'abc', 'bc', 'bc', 'bc'])
})

it.each([
  ['a file in a folder that is there', join(import.meta.dirname, 'missing'), undefined],
  ['a folder', import.meta.dirname, 'it is a folder'],
  ['a folder that is missing', '/nowhere/x', 'there is no folder /nowhere'],
  ['a folder that the run may still make', '/work-of-a-run/new/x', undefined],
  ['a neighbor of it', '/work-of-a-run2/x', 'there is no folder /work-of-a-run2'],
  ['a file in the place of the folder', `${process.execPath}/x`, 'ENOTDIR'],
  ['an impossible name', '/a\0b', 'null bytes'],
])('an output in %s', (_, path, problem) => {
  const said = outputProblem(path, ['/elsewhere', '/work-of-a-run'])
  if (problem === undefined) expect(said).toBeUndefined()
  else expect(said).toContain(problem)
})
