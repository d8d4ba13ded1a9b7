import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

const RECORDED = ['openSync', 'writeSync', 'fsyncSync', 'fdatasyncSync', 'ftruncateSync', 'closeSync'] as const
type Recorded = (typeof RECORDED)[number]

export type RecordedFiles = {
  /** The calls so far, as `fdatasync t.jsonl`; only files and folders of this folder. */
  readonly calls: readonly string[]
  /** What the next writes to this file do instead: `torn` takes half of the bytes, `full` none, and fails. */
  fail(name: string, ways: readonly ('torn' | 'full' | 'well')[]): void
}

/** Records what this process asks of the file system in a folder, until the test ends. A write can be made to fail. */
export function recordFiles(folder: string): RecordedFiles {
  const calls: string[] = []
  const names = new Map<number, string>()
  const failures = new Map<string, ('torn' | 'full' | 'well')[]>()
  const real = Object.fromEntries(RECORDED.map((name) => [name, fs[name]])) as unknown as Record<
    Recorded,
    (...args: readonly unknown[]) => unknown
  >
  const replace = (name: Recorded, to: (...args: readonly unknown[]) => unknown) => Object.assign(fs, { [name]: to })
  const note = (call: Recorded, file: unknown) => {
    const name = names.get(file as number)
    if (name !== undefined) calls.push(`${call.slice(0, -'Sync'.length)} ${name}`)
    return name
  }
  replace('openSync', (...args) => {
    const file = real.openSync(...args) as number
    const path = String(args[0])
    const name = path === folder ? '.' : path.slice(folder.length + 1)
    if (path.startsWith(folder) && !name.endsWith('.reserve')) names.set(file, name)
    note('openSync', file)
    return file
  })
  replace('writeSync', (...args) => {
    const [file, bytes] = args as [number, Buffer]
    const name = note('writeSync', file)
    const way = name === undefined ? 'well' : (failures.get(name)?.shift() ?? 'well')
    if (way === 'full') throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    return way === 'torn' ? real.writeSync(file, bytes, 0, bytes.length >> 1) : real.writeSync(...args)
  })
  for (const name of ['fsyncSync', 'fdatasyncSync', 'ftruncateSync', 'closeSync'] as const)
    replace(name, (...args) => {
      note(name, args[0])
      if (name === 'closeSync') names.delete(args[0] as number)
      return real[name](...args)
    })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, real)
    syncBuiltinESMExports()
  })
  return { calls, fail: (name, ways) => void failures.set(name, [...ways]) }
}
