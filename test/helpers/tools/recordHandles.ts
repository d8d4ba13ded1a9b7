import fs, { readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isTemporaryName } from '../../../src/lib/fs/ownedFolder.ts'
import { stubCalls } from '../stubCalls.ts'

const OF_HANDLES = ['writeFile', 'chown', 'chmod', 'sync', 'close'] as const
const OF_PATHS = ['rename', 'unlink', 'mkdir'] as const
type Recorded = (typeof OF_HANDLES)[number] | (typeof OF_PATHS)[number]
type Call = (...args: readonly unknown[]) => unknown

type RecordedHandles = {
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
  const openRecorded = async (...args: Parameters<typeof open>) => {
    const handle = await open(...args)
    const name = nameOf(String(args[0]))
    for (const call of OF_HANDLES) {
      const own = (handle[call] as Call).bind(handle)
      Object.assign(handle, { [call]: recording(call, () => [name], own) })
    }
    return handle
  }
  const paths = (args: readonly unknown[]) => args.filter((arg) => typeof arg === 'string').map(nameOf)
  const others = OF_PATHS.map((call) => [call, recording(call, paths, fs.promises[call] as Call)])
  stubCalls({ open: openRecorded, ...Object.fromEntries(others) }, fs.promises)
  return { calls, fail: (call, code) => void failures.set(call, code) }
}
