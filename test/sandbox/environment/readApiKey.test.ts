import { execFileSync } from 'node:child_process'
import fs, { closeSync, constants, fstatSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import { type ApiKeySources, readApiKey } from '../../../src/sandbox/environment/readApiKey.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { stubCalls } from '../../helpers/stubCalls.ts'

const KEY = 'sk-ant-api03-CANARY'
const folder = makeFolder('api-key-')

let made = 0
const newPath = () => join(folder, String(made++))

function fileWith(text: string): string {
  const path = newPath()
  writeFileSync(path, text)
  return path
}

function newPipe(): string {
  const path = newPath()
  execFileSync('mkfifo', [path])
  return path
}

/** The writing end; the reading one must be open. */
const writerOf = (pipe: string) => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
const readerOf = (pipe: string) => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)

/** How often this process has asked for bytes since. */
function countReads(): () => number {
  let reads = 0
  const { readSync } = fs
  stubCalls({
    readSync: (...args: Parameters<typeof readSync>) => {
      reads += 1
      return readSync(...args)
    },
  })
  return () => reads
}

const openFiles = () => readdirSync('/dev/fd').length

describe('readApiKey', () => {
  it('reads a file, a descriptor or a variable, and trims the key', async () => {
    expect(await readApiKey({ file: fileWith(`  ${KEY}\n`) })).toEqual(KEY)
    const descriptor = openSync(fileWith(`${KEY}\r\n`), 'r')
    expect(await readApiKey({ descriptor })).toEqual(KEY)
    await expect(readApiKey({ descriptor })).rejects.toThrow(RunError)
    const variable = { name: 'ANTHROPIC_API_KEY', value: `${KEY} ` }
    expect(await readApiKey({ variable })).toEqual(KEY)
  })

  it('prefers the descriptor to the file to the variable', async () => {
    const variable = { name: 'X', value: 'third' }
    const file = fileWith('second')
    expect(await readApiKey({ descriptor: openSync(fileWith('first'), 'r'), file, variable })).toBe('first')
    expect(await readApiKey({ file, variable })).toBe('second')
  })

  it('has no key if none is given', async () => {
    expect(await readApiKey({})).toBeUndefined()
    expect(await readApiKey({ variable: { name: 'X', value: ' ' } })).toBeUndefined()
  })

  it.each<[string, () => ApiKeySources, RegExp]>([
    ['an empty file', () => ({ file: fileWith(' \n') }), /^--api-key-file .* is empty: it must hold the API key$/],
    ['a huge file', () => ({ file: fileWith('x'.repeat(100_000)) }), /longer/],
    ['a key of two lines', () => ({ file: fileWith(`${KEY}\nCANARY`) }), /white space/],
    ['a key that is no text', () => ({ variable: { name: 'X', value: 'CANARY\u0007' } }), /other characters/],
    [
      'a missing file',
      () => ({ file: join(folder, 'missing') }),
      /^the API key file cannot be opened: ENOENT.*missing/,
    ],
    ['a folder', () => ({ file: folder }), /^the API key cannot be read from .*: it is neither a file nor a pipe$/],
    ['a device', () => ({ file: '/dev/zero' }), /neither a file nor a pipe/],
    ['a closed descriptor', () => ({ descriptor: 999 }), /descriptor 999: EBADF/],
  ])('refuses %s, and does not show it', async (_what, sources, message) => {
    const failure = await readApiKey(sources()).catch((error: RunError) => error)
    if (!(failure instanceof RunError)) throw new Error('it was taken')
    expect(failure).toMatchObject({ reason: 'auth', message: expect.stringMatching(message) })
    expect(failure.message).not.toContain('CANARY')
  })

  it('takes 4096 bytes from a file, and leaves nothing open', async () => {
    const before = openFiles()
    expect(await readApiKey({ file: fileWith('x'.repeat(4_096)) })).toHaveLength(4_096)
    const file = fileWith('x'.repeat(4_097))
    await expect(readApiKey({ file })).rejects.toThrow(
      `--api-key-file ${file} is longer than 4096 bytes, so it is not an API key`,
    )
    await expect(readApiKey({ file: join(folder, 'gone') })).rejects.toMatchObject({ cause: { code: 'ENOENT' } })
    expect(await readApiKey({ descriptor: openSync(fileWith('sk'), 'r') })).toBe('sk')
    expect(openFiles()).toBe(before)
  })
})

describe('a key from a named pipe', () => {
  it('may come late, and in parts', async () => {
    const pipe = newPipe()
    const reads = countReads()
    const before = openFiles()
    const reading = readApiKey({ file: pipe })
    // Nobody has opened it for writing yet.
    await expect.poll(reads).toBeGreaterThan(1)
    const writer = writerOf(pipe)
    const idle = reads()
    await expect.poll(reads).toBeGreaterThan(idle + 1)
    writeSync(writer, 'sk-')
    const begun = reads()
    await expect.poll(reads).toBeGreaterThan(begun + 1)
    writeSync(writer, 'rest\n')
    closeSync(writer)
    expect(await reading).toBe('sk-rest')
    expect(openFiles()).toBe(before)
  })

  it('is not waited for without end', async () => {
    const pipe = newPipe()
    const times = [1_000, 11_000, 11_001]
    const now = vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 11_001)
    onTestFinished(() => now.mockRestore())
    await expect(readApiKey({ file: pipe })).rejects.toMatchObject({
      ...{ reason: 'auth', message: `the API key cannot be read from ${pipe}: nobody wrote it within 10 s` },
      cause: expect.any(Error),
    })
    // One look at the last moment that is left, and none after it.
    expect(times).toEqual([])
  })
})

describe.runIf(process.platform === 'linux')('a key from an inherited pipe (needs Linux)', () => {
  it('is read to its end, and the pipe is closed', async () => {
    const pipe = newPipe()
    const descriptor = readerOf(pipe)
    const writer = writerOf(pipe)
    const reads = countReads()
    const before = openFiles()
    const reading = readApiKey({ descriptor })
    await expect.poll(reads).toBeGreaterThan(1)
    writeSync(writer, 'sk-key')
    closeSync(writer)
    expect(await reading).toBe('sk-key')
    expect(() => fstatSync(descriptor)).toThrow('EBADF')
    expect(openFiles()).toBe(before - 2)
  })

  it('is none where its writer has gone', async () => {
    const descriptor = readerOf(newPipe())
    await expect(readApiKey({ descriptor })).rejects.toThrow(
      `--api-key-fd ${descriptor} is empty: it must hold the API key`,
    )
  })
})
