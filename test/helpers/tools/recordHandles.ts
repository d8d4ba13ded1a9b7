import fs, { readlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { isTemporaryName } from '../../../src/lib/fs/ownedFolder.ts'

const OF_HANDLES = ['writeFile', 'chown', 'chmod', 'sync', 'close'] as const
const OF_PATHS = ['rename', 'unlink', 'mkdir'] as const
type Recorded = (typeof OF_HANDLES)[number] | (typeof OF_PATHS)[number]
type Call = (...args: readonly unknown[]) => unknown

export type RecordedHandles = {
  /** The calls so far, as `sync .`; only files and folders of this folder. `new`: the temporary file. */
  readonly calls: readonly string[]
  /** This call fails from now on, as `fail('sync .', 'EIO')`. */
  fail(call: string, code: string): void
}

/** Records what this process asks of the file system in a folder by `fs/promises`, until the test ends. A call can be made to fail. */
export function recordHandles(folder: string): RecordedHandles {
  const calls: string[] = []
  const failures = new Map<string, string>()
  const { open } = fs.promises
  const real = Object.fromEntries(OF_PATHS.map((name) => [name, fs.promises[name]]))
  const nameOf = (path: string): string | undefined => {
    const [, descriptor, rest = ''] = /^\/proc\/self\/fd\/(\d+)(?:\/(.*))?$/.exec(path) ?? []
    const full = descriptor === undefined ? path : join(readlinkSync(`/proc/self/fd/${descriptor}`), rest)
    if (full === folder) return '.'
    if (!full.startsWith(`${folder}/`)) return undefined
    return isTemporaryName(basename(full)) ? 'new' : full.slice(folder.length + 1)
  }
  const note = (call: Recorded, names: readonly (string | undefined)[]) => {
    if (names.includes(undefined)) return
    const line = [call, ...names].join(' ')
    calls.push(line)
    const code = failures.get(line)
    if (code !== undefined) throw Object.assign(new Error(`${code}: made to fail`), { code })
  }
  const recording =
    (call: Recorded, namesOf: (args: readonly unknown[]) => readonly (string | undefined)[], to: Call): Call =>
    async (...args) => {
      note(call, namesOf(args))
      return to(...args)
    }
  fs.promises.open = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args)
    const name = nameOf(String(args[0]))
    for (const call of OF_HANDLES) {
      const own = (handle[call] as Call).bind(handle)
      Object.assign(handle, { [call]: recording(call, () => [name], own) })
    }
    return handle
  }
  for (const call of OF_PATHS) {
    const paths = (args: readonly unknown[]) =>
      args.filter((arg) => typeof arg === 'string').map((path) => nameOf(path))
    Object.assign(fs.promises, { [call]: recording(call, paths, real[call] as Call) })
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs.promises, real, { open })
    syncBuiltinESMExports()
  })
  return { calls, fail: (call, code) => void failures.set(call, code) }
}
