import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { CommandRequest } from '../../src/contracts/commands.ts'
import { wordsIn } from '../../src/lib/text/words.ts'
import type { Invocation } from '../../src/sandbox/createCommandAccess.ts'
import { startWaiting, type WaitingOptions } from '../../src/sandbox/startWaiting.ts'
import { DIRECT } from '../../src/sandbox/views/checkoutMode.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'

const never = new AbortController().signal

/** A shell that waits as it does in a sandbox, and a request that it was started for. */
function place(
  change: Partial<WaitingOptions> & { file?: string; written?: readonly string[]; isLinked?: boolean } = {},
) {
  const { file, written, isLinked = false, ...rest } = change
  const top = makeFiles({ 'real/bound': '', link: '-> real' })
  const cwd = join(top, isLinked ? 'link' : 'real')
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
  const waiting = startWaiting({ like: { cwd }, environment, signal: never, checkout: DIRECT, wrap, ...rest })
  if (waiting === undefined) throw new Error('nothing waits')
  const requestOf = (script: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
    ...{ file: 'sh', args: ['-c', script], cwd, timeoutMs: 20_000, signal: never },
    ...more,
  })
  const fits = (more?: Partial<CommandRequest>) => waiting.fits(requestOf(':', more), DIRECT)
  return { cwd, waiting, requestOf, fits, isEnded: () => isEnded }
}

/** What the command of a request printed, and its exit code. */
async function ran({ waiting }: ReturnType<typeof place>, request: CommandRequest) {
  const child = await waiting.give(request)
  if (child?.stdout === undefined) throw new Error('no child')
  return [await text(child.stdout), (await child.exit).exitCode]
}

describe('a shell that waits', () => {
  it('becomes the command, whose words are quoted and whose stdin is empty', async () => {
    const own = place()
    const script = `echo "it's $1" 'a b'; cat; pwd; exit 3`
    expect(await ran(own, own.requestOf(script))).toEqual([`it's  a b\n${own.cwd}\n`, 3])
    const joined = place()
    const request = joined.requestOf('echo a; echo b >&2; echo c', { isJoined: true })
    expect(await ran(joined, request)).toEqual(['a\nb\nc\n', 0])
  })

  it.each([
    ['all signs', '\' " \\ $HOME `id` $(id) ; & | > < * ? [a] {b,c} ~ # ! %s \t -'],
    ['lines', '\na\n\n b\n'],
    ['nothing', ''],
    ['letters', 'ä€😀\u0081\u0088\ufffd'],
    ['much', 'x'.repeat(20_000)],
  ])('hands over %s as it is', async (_, word) => {
    const own = place()
    const request = own.requestOf('', { file: '/usr/bin/printf', args: ['[%s]', word, '--'] })
    expect(await ran(own, request)).toEqual([`[${word}][--]`, 0])
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
    const long = ['-c', 'x'.repeat(30_001)]
    for (const more of [{ cwd: '/' }, { env: { A: '1' } }, { input: '' }, { args: long }, { args: ['a\0b'] }])
      expect(fits(more)).toBe(false)
    // The request of a call that has ended is aborted. It is what the next one is compared with.
    expect(fits({ signal: AbortSignal.abort(), timeoutMs: 1, isJoined: true, file: 'ls' })).toBe(true)
    // Other files may come and go; a place of a mount may not.
    writeFileSync(join(cwd, 'other'), '')
    expect(fits()).toBe(true)
    await waiting.end()
    expect(fits()).toBe(false)
  })

  it.each<[string, (cwd: string) => void]>([
    ['the place of a mount was replaced', (cwd) => replace(join(cwd, 'bound'))],
    ['it got its name back', (cwd) => relink(join(cwd, 'bound'))],
    ['it is gone', (cwd) => rmSync(join(cwd, 'bound'))],
    ['it was moved away and back', (cwd) => moveAndBack(join(cwd, 'bound'))],
    ['the working folder was made again', remake],
    ['the working folder has another mode', (cwd) => chmodSync(cwd, 0o711)],
    ['what a link to the working folder leads to was made again', (cwd) => remake(realpathSync(cwd))],
  ])('does not fit when %s', async (what, change) => {
    const { waiting, fits, cwd } = place({ isLinked: what.includes('link') })
    expect(fits()).toBe(true)
    change(cwd)
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

  const refused = wordsIn('LD_PRELOAD BASH_ENV BASH_FUNC_x%% IFS OPTIND PPID SHELLOPTS a-b 1A')
  it.each(refused)('does not wait with %s', (name) => {
    expect(() => place({ environment: { [name]: 'x' } })).toThrow('nothing waits')
  })
})

function replace(path: string): void {
  writeFileSync(`${path}.new`, 'other')
  renameSync(`${path}.new`, path)
}

/** The same file, but not the same entry: the kernel drops what was mounted on an entry that is removed. */
function relink(path: string): void {
  linkSync(path, `${path}.kept`)
  rmSync(path)
  linkSync(`${path}.kept`, path)
}

function moveAndBack(path: string): void {
  renameSync(path, `${path}.moved`)
  renameSync(`${path}.moved`, path)
}

/** The same content in another folder. */
function remake(path: string): void {
  execFileSync('cp', ['-a', path, `${path}.copy`])
  renameSync(path, `${path}.old`)
  renameSync(`${path}.copy`, path)
}
