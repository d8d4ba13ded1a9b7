import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandRequest } from '../../../src/contracts/commands.ts'
import { isGroupAlive } from '../../../src/lib/process/endProcessGroup.ts'
import { launchChild } from '../../../src/lib/process/launchChild.ts'
import { type RunCommandOptions, runCommand } from '../../../src/lib/process/runCommand.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const folder = makeFolder('run-command-')

const PATH = '/usr/local/bin:/usr/bin:/bin'

function bash(script: string, change: Partial<CommandRequest> = {}, options: RunCommandOptions = {}) {
  return runCommand({ ...requestOf(script), ...change }, options)
}

/** Starts a command before somebody follows it. */
function launch(script: string) {
  return launchChild(requestOf(script))
}

function requestOf(script: string): CommandRequest {
  const signal = new AbortController().signal
  return { file: 'bash', args: ['-c', script], cwd: folder, timeoutMs: 20_000, signal, env: { PATH } }
}

const TOO_LONG = /^it is too long for the system \(200 kB; the limit is 131 kB\): write it to a file/

describe('runCommand', () => {
  it('returns the exit code and both streams separately', async () => {
    const result = await bash('echo out; echo err >&2; exit 3')
    expect(result).toMatchObject({ exitCode: 3, signal: null, isTimedOut: false, isAborted: false })
    expect(result.stdout).toEqual({ text: 'out\n', bytes: 4, isTruncated: false })
    expect(result.stderr.text).toBe('err\n')
    expect(await bash('kill -KILL $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  })

  it.each([
    ['a missing program', { file: 'no-such-program-here' }, /no-such-program-here/],
    ['a missing folder', { cwd: '/no/such/folder' }, /folder|cwd|directory/i],
    ['a NUL in an argument', { args: ['a\0b'] }, /null bytes/],
    ['a command that is too long for the system', { args: ['-c', 'x'.repeat(200_000)] }, TOO_LONG],
  ])('says why %s cannot be started', async (_what, change, message) => {
    const result = await bash('true', change)
    expect(result.startError).toMatch(message)
    expect(result.exitCode).toBeNull()
  })

  it('passes input, and survives a child that does not read it', async () => {
    expect((await bash('cat', { input: 'hällo' })).stdout.text).toBe('hällo')
    expect((await bash('exec 0<&-; exit 4', { input: 'x'.repeat(1_000_000) })).exitCode).toBe(4)
  })

  it.skipIf(process.platform !== 'linux')('has streams that scripts can reopen by name (needs Linux)', async () => {
    const script = 'echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/stdin; echo both | tee /dev/stderr'
    const result = await bash(script, { input: 'in\n' })
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'out\nin\nboth\n' }, stderr: { text: 'err\nboth\n' } })
    // Its own two, and none that waits for the next child.
    const listed = (await bash('ls -l /proc/self/fd', { input: 'x' })).stdout.text
    expect(listed.match(/kode-run-pipes-/g)).toHaveLength(2)
    const joined = await bash('echo a; echo b >&2; echo c', { isJoined: true })
    expect(joined).toMatchObject({ stdout: { text: 'a\nb\nc\n' }, stderr: { text: '', bytes: 0 } })
  })

  it.skipIf(process.platform !== 'linux')('leaves no descriptor open (needs Linux)', { tags: 'long' }, async () => {
    const count = () => readdirSync('/proc/self/fd').length
    await bash('true')
    const before = count()
    for (let round = 0; round < 40; round++) await bash('echo x', { input: 'y' })
    await bash('true', { file: '/no/such/program' })
    // What is ready for the next ones may be more or less than before, and other tests of this process close theirs late.
    await expect.poll(count).toBeLessThan(before + 20)
  })

  it('gives no stdin and no terminal', async () => {
    const result = await bash('cat; (: </dev/tty) 2>/dev/null || echo no tty; test -t 1 || echo no stdout tty')
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'no tty\nno stdout tty\n' } })
  })

  it('starts nothing if its signal is already aborted', async () => {
    const result = await bash('touch started', { signal: AbortSignal.abort() })
    expect(result.isAborted).toBe(true)
    expect(() => readFileSync(join(folder, 'started'))).toThrow()
  })
})

describe('runCommand ends what it started', () => {
  it('kills a child that ignores SIGTERM, and keeps what it had written', { tags: 'long' }, async () => {
    const child = launch("trap '' TERM; echo before; while :; do sleep 0.1; done")
    const result = await bash('', { timeoutMs: 300 }, { child })
    expect(result).toMatchObject({ isTimedOut: true, signal: 'SIGKILL', stdout: { text: 'before\n' } })
    expect(isGroupAlive((await child)?.pid ?? 0)).toBe(false)
  })

  it('lets a child end by itself after SIGTERM', async () => {
    const controller = new AbortController()
    const result = await bash("trap 'echo tidy; exit 7' TERM; echo ready; while :; do sleep 0.05; done", {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    })
    expect(result).toMatchObject({ isAborted: true, isTimedOut: false, exitCode: 7 })
    expect(result.stdout.text).toContain('tidy')
  })

  it('neither waits for a grandchild that holds the pipe nor leaves it running', { tags: 'long' }, async () => {
    const child = launch('sleep 300 & echo hi')
    const result = await bash('', {}, { child })
    expect(result).toMatchObject({ exitCode: 0, isTimedOut: false, stdout: { text: 'hi\n' } })
    expect(isGroupAlive((await child)?.pid ?? 0)).toBe(false)
  })

  it('does not wait for a grandchild in a session of its own', { tags: 'long' }, async () => {
    const result = await bash('setsid sleep 7.25 & echo hi')
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'hi\n' } })
  })

  it('reads what a short-lived grandchild still writes', async () => {
    const result = await bash('(sleep 0.2; echo late) & echo early')
    expect(result.stdout.text).toBe('early\nlate\n')
  })

  it('kills a child that never stops writing', async () => {
    const result = await bash('yes', {}, { maxOutputBytes: 5_000_000 })
    expect(result).toMatchObject({ isOutputLimited: true, isTimedOut: false, signal: expect.any(String) })
    expect(result.stdout.bytes).toBeGreaterThan(5_000_000)
  })
})

describe('runCommand captures output', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'never tears a character, %i bytes on: at a chunk, at the cut, or in a progress line',
    async (shift) => {
      // The shift at the start moves the cut behind the beginning, the one at the end the cut before the end.
      const text = 'x'.repeat(shift) + 'aß€😀'.repeat(30_000) + 'x'.repeat(shift)
      writeFileSync(join(folder, 'text'), text)
      let seen = ''
      const onOutput = (part: string) => (seen += part)
      const result = await bash('dd if=text bs=977 status=none', { onOutput }, { putBlob: () => '/blob' })
      expect(seen).toBe(text)
      expect(result.stdout.text).not.toContain('\uFFFD')
      expect(result.stdout).toMatchObject({ bytes: Buffer.byteLength(text), isTruncated: true, blob: '/blob' })
    },
  )

  it('keeps the first and the last 32 kB and stores the whole', async () => {
    let stored: Uint8Array = new Uint8Array()
    const putBlob = (content: Uint8Array) => {
      stored = content
      return '/blobs/1'
    }
    const result = await bash('seq 1 200000', {}, { putBlob })
    const whole = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join('')
    expect(Buffer.from(stored).toString()).toBe(whole)
    const [head = '', tail = ''] = result.stdout.text.split(/\n\[… \d+ bytes left out …\]\n/)
    expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
    expect([head.length, tail.length]).toEqual([32_000, 32_000])
    expect(result.stdout.text).toContain(`[… ${whole.length - 64_000} bytes left out …]`)
  })

  it('shows 64,000 bytes completely and stores nothing', async () => {
    const result = await bash('head -c 64000 /dev/zero | tr "\\0" x', {}, { putBlob: () => '/blob' })
    expect(result.stdout).toEqual({ text: 'x'.repeat(64_000), bytes: 64_000, isTruncated: false })
  })

  it('stores at most 64 MiB of a longer output, in little memory', { tags: 'long' }, async () => {
    let size = 0
    const before = process.memoryUsage().rss
    const putBlob = (content: Uint8Array) => {
      size = content.length
      return '/blob'
    }
    const result = await bash('head -c 300M /dev/zero', {}, { putBlob })
    expect(result.stdout).toMatchObject({ bytes: 300 * 1024 * 1024, isTruncated: true })
    expect(size).toBe(64 * 1024 * 1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })

  it('loses only the blob when it cannot be stored', async () => {
    const putBlob = () => {
      throw new Error('disk full')
    }
    const result = await bash('seq 1 200000', {}, { putBlob })
    expect(result).toMatchObject({ exitCode: 0, stdout: { isTruncated: true } })
    expect(result.stdout.blob).toBeUndefined()
  })
})
