import fs, { readlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { isTemporaryName } from '../../../src/lib/fs/ownedFolder.ts'

const OF_DESCRIPTORS = ['writeSync', 'fsyncSync', 'closeSync'] as const
const OF_PATHS = [
  ...['openSync', 'renameSync', 'linkSync', 'mkdirSync', 'rmSync', 'rmdirSync', 'unlinkSync', 'symlinkSync'],
] as const
const OF_OWNERS = ['chmodSync', 'chownSync', 'lchownSync', 'utimesSync', 'lutimesSync'] as const
const RECORDED = [...OF_DESCRIPTORS, ...OF_PATHS, ...OF_OWNERS]
type Call = (...args: readonly unknown[]) => unknown

export type RecordedCalls = {
  /** The calls so far that write, as `rename views/a checkout/a`; only in this folder. `new`: a temporary name. */
  readonly calls: string[]
  /** From now on, this call fails, or the n-th one whatever it is, counted from zero. */
  fail(call: string | number, code: string): void
  /** Neither the n-th call nor any after it does anything, as in a process that is killed. Until `revive`. */
  killAt(call: number): void
  revive(): void
  /** The next write takes only half of the bytes, as on a full disk. */
  tear(): void
}

/**
 * Records what this process asks of the file system in a folder, by the calls that wait for their result, until the test
 * ends. A call can be made to fail before it does anything.
 */
export function recordCalls(folder: string): RecordedCalls {
  const calls: string[] = []
  const failures = new Map<string | number, string>()
  const names = new Map<unknown, string>()
  let isTorn = false
  let killedAt = Number.POSITIVE_INFINITY
  const real = Object.fromEntries(RECORDED.map((name) => [name, fs[name] as Call]))
  const nameOf = (path: unknown): string | undefined => {
    const [, descriptor, rest = ''] = /^\/proc\/self\/fd\/(\d+)(?:\/(.*))?$/.exec(String(path)) ?? []
    const full = descriptor === undefined ? String(path) : join(readlinkSync(`/proc/self/fd/${descriptor}`), rest)
    if (full !== folder && !full.startsWith(`${folder}/`)) return undefined
    const name = full.slice(folder.length + 1)
    return isTemporaryName(basename(name)) ? join(name, '../new') : name === '' ? '.' : name
  }
  const note = (call: string, of: readonly unknown[], isWriting: boolean) => {
    const line = [call.replace('Sync', ''), ...of].join(' ')
    if (isWriting) calls.push(line)
    if (calls.length > killedAt) throw new Error('killed')
    const code = failures.get(line) ?? (isWriting ? failures.get(calls.length - 1) : undefined)
    if (code !== undefined) throw Object.assign(new Error(`${code}: made to fail`), { code })
  }
  const writeHalf = ([file, content, offset = 0, length, position]: readonly unknown[]) => {
    isTorn = false
    const bytes = Buffer.from(content as string)
    return real['writeSync']?.(file, bytes, offset, ((length as number) ?? bytes.length) >> 1, position)
  }
  for (const call of RECORDED) {
    const run = real[call] as Call
    const isOfDescriptor = OF_DESCRIPTORS.some((each) => each === call)
    const recorded: Call = (...args) => {
      const paths =
        call === 'renameSync' || call === 'linkSync' ? args.slice(0, 2) : [call === 'symlinkSync' ? args[1] : args[0]]
      const of = isOfDescriptor ? [names.get(args[0])] : paths.map(nameOf)
      // To close something, or to open it for reading, writes nothing.
      const isWriting =
        call !== 'closeSync' &&
        (call !== 'openSync' || /w/.test(String(args[1])) || (Number(args[1]) & fs.constants.O_CREAT) !== 0)
      if (of.some((name) => name !== undefined)) note(call, of, isWriting)
      const result = call === 'writeSync' && isTorn && of[0] !== undefined ? writeHalf(args) : run(...args)
      if (call === 'openSync' && of[0] !== undefined) names.set(result, of[0])
      if (call === 'closeSync') names.delete(args[0])
      return result
    }
    Object.assign(fs, { [call]: recorded })
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, real)
    syncBuiltinESMExports()
  })
  return {
    calls,
    fail: (call, code) => void failures.set(call, code),
    killAt(call) {
      killedAt = call
    },
    revive() {
      killedAt = Number.POSITIVE_INFINITY
    },
    tear() {
      isTorn = true
    },
  }
}
