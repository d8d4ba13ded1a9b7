import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { CommandRequest } from '../../src/contracts/commands.ts'
import type { Invocation } from '../../src/sandbox/createCommandAccess.ts'
import { startWaiting, type WaitingOptions } from '../../src/sandbox/startWaiting.ts'
import { DIRECT } from '../../src/sandbox/views/checkoutMode.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const never = new AbortController().signal

/** A shell that waits as it does in a sandbox, and a request that it was started for. */
function place(
  change: Partial<WaitingOptions> & { readonly file?: string; readonly written?: readonly string[] } = {},
) {
  const cwd = makeFolder()
  writeFileSync(join(cwd, 'bound'), '')
  const { file, written, ...rest } = change
  let isEnded = false
  // The words behind the shell are places that a sandbox would mount.
  const wrap = (command: Invocation) => ({
    ...{ file: file ?? command.file, args: ['-s', join(cwd, 'bound'), 'word'] },
    ...(written === undefined ? {} : { written: written.map((name) => join(cwd, name)) }),
    ended: async () => {
      isEnded = true
    },
  })
  const environment = { PATH: process.env['PATH'] ?? '' }
  const waiting = startWaiting({
    like: { cwd },
    environment,
    signal: never,
    checkout: DIRECT,
    wrap,
    ...rest,
  })
  if (waiting === undefined) throw new Error('nothing waits')
  const requestOf = (script: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
    ...{ file: 'sh', args: ['-c', script], cwd, timeoutMs: 20_000, signal: never },
    ...more,
  })
  return {
    cwd,
    waiting,
    requestOf,
    fits: (more?: Partial<CommandRequest>) => waiting.fits(requestOf(':', more), DIRECT),
    isEnded: () => isEnded,
  }
}

describe('a shell that waits', () => {
  it('becomes the command, whose words are quoted and whose stdin is empty', async () => {
    const { waiting, requestOf, cwd } = place()
    const child = await waiting.give(requestOf(`echo "it's $1" 'a b'; cat; pwd; exit 3`))
    if (child?.stdout === undefined) throw new Error('no child')
    expect(await text(child.stdout)).toBe(`it's  a b\n${cwd}\n`)
    expect((await child.exit).exitCode).toBe(3)
  })

  it('gives nothing to a request that was aborted, and is ended then by whoever follows the child', async () => {
    const { waiting, requestOf, isEnded } = place()
    const child = await waiting.give(requestOf('echo ran', { signal: AbortSignal.abort() }))
    await waiting.end()
    expect((await child?.exit)?.signal).toBe('SIGKILL')
    expect(child?.stdout?.readableEnded === true || child?.stdout?.destroyed === true).toBe(true)
    expect(child?.stdin?.destroyed).toBe(true)
    expect(isEnded()).toBe(true)
  })

  it('that cannot start fits nothing, gives the error, and ends without one', async () => {
    const { waiting, requestOf, fits, isEnded } = place({ file: '/no/such/shell' })
    await expect(waiting.give(requestOf(':'))).rejects.toThrow('/no/such/shell')
    expect(fits()).toBe(false)
    await waiting.end()
    expect(isEnded()).toBe(false)
  })

  it('that was not started, because the run had ended, fits nothing and gives nothing', async () => {
    const { waiting, requestOf, fits, isEnded } = place({ signal: AbortSignal.abort() })
    expect(await waiting.give(requestOf(':'))).toBeUndefined()
    expect(fits()).toBe(false)
    await waiting.end()
    expect(isEnded()).toBe(false)
  })

  it('that died takes a command without an error; its end tells', async () => {
    const { waiting, requestOf, fits } = place()
    const first = await waiting.give(requestOf('exit 4'))
    expect((await first?.exit)?.exitCode).toBe(4)
    await expect.poll(() => fits()).toBe(false)
    const again = await waiting.give(requestOf(':'))
    expect((await again?.exit)?.exitCode).toBe(4)
  })

  it('fits while nothing that it looked up has changed', async () => {
    const { waiting, fits, cwd } = place()
    expect(fits()).toBe(true)
    for (const more of [{ cwd: '/' }, { env: { A: '1' } }, { input: '' }, { args: ['-c', 'x'.repeat(30_001)] }])
      expect(fits(more)).toBe(false)
    expect(fits({ signal: AbortSignal.abort(), timeoutMs: 1 })).toBe(true)
    // Other files may come and go; a place of a mount may not.
    writeFileSync(join(cwd, 'other'), '')
    expect(fits()).toBe(true)
    renameSync(join(cwd, 'bound'), join(cwd, 'moved'))
    expect(fits()).toBe(false)
    renameSync(join(cwd, 'moved'), join(cwd, 'bound'))
    expect(fits()).toBe(false)
    await waiting.end()
  })

  it('may wait beside a file that the run itself writes', async () => {
    const { waiting, fits, cwd } = place({ written: ['bound'] })
    writeFileSync(join(cwd, 'bound'), 'more')
    expect(fits()).toBe(true)
    await waiting.end()
    const { waiting: other, fits: otherFits, cwd: elsewhere } = place()
    writeFileSync(join(elsewhere, 'bound'), 'more')
    expect(otherFits()).toBe(false)
    await other.end()
  })

  it.each(['LD_PRELOAD', 'BASH_ENV', 'IFS', 'PPID', 'a-b', '1A'])('does not wait with %s', (name) => {
    expect(() => place({ environment: { [name]: 'x' } })).toThrow('nothing waits')
  })
})
