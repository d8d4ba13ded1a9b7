import { execFileSync } from 'node:child_process'
import fs, { closeSync, constants, mkdtempSync, openSync, readSync, realpathSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openNamedPipe } from '../../src/files/openNamedPipe.ts'
import { outputProblem } from '../../src/files/outputProblem.ts'

function makePipe() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'named-pipe-')))
  const path = join(base, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  onTestFinished(() => {
    closeSync(reader)
    rmSync(base, { recursive: true })
  })
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
  fs.writeSync = ((descriptor: number, bytes: Buffer) => {
    const answer = waiting.shift()
    given.push(Buffer.from(bytes).toString())
    if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer })
    return writeSync(descriptor, bytes, 0, answer ?? bytes.length)
  }) as typeof writeSync
  syncBuiltinESMExports()
  onTestFinished(() => {
    fs.writeSync = writeSync
    syncBuiltinESMExports()
  })
  return { given }
}

it('writes the whole text, also where the pipe takes a part or is full for a moment, and then ends', async () => {
  const { path, read } = makePipe()
  const pipe = openNamedPipe(path)
  const { given } = scriptWrites(2, 'EAGAIN', 3)
  await pipe.write('äbcdef')
  expect(given).toEqual(['äbcdef', 'bcdef', 'bcdef', 'ef'])
  expect([read(), read()]).toEqual(['äbcdef', ''])
})

it('says with its cause that nobody reads', () => {
  const base = mkdtempSync(join(tmpdir(), 'named-pipe-'))
  onTestFinished(() => rmSync(base, { recursive: true }))
  execFileSync('mkfifo', [join(base, 'pipe')])
  const cause = expect.objectContaining({ code: 'ENXIO' })
  expect(() => openNamedPipe(join(base, 'pipe'))).toThrow(new Error('it is a pipe that nobody reads', { cause }))
})

it('passes on another error, and closes the pipe', async () => {
  const { path, read } = makePipe()
  const pipe = openNamedPipe(path)
  scriptWrites('EIO')
  await expect(pipe.write('abc')).rejects.toThrow('EIO')
  expect(read()).toBe('')
})

it('gives up on a reader that does not read for five seconds, and no earlier', async () => {
  const { path } = makePipe()
  const pipe = openNamedPipe(path)
  // The pipe takes no byte, then one, then none. Each look is two seconds later than the one before.
  let time = 0
  const { now } = performance
  performance.now = () => (time += 2_000)
  onTestFinished(() => {
    performance.now = now
  })
  const { given } = scriptWrites('EAGAIN', 'EAGAIN', 1, 'EAGAIN', 'EAGAIN', 'EAGAIN', 'EAGAIN', 'EAGAIN')
  await expect(pipe.write('abc')).rejects.toThrow('the reader of the pipe does not read')
  expect(given).toEqual(['abc', 'abc', 'abc', 'bc', 'bc', 'bc'])
})

it('a file that is not there is no pipe without a reader', () => {
  expect(() => openNamedPipe('/nowhere/pipe')).toThrow('ENOENT')
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
