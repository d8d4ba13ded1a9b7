import fs from 'node:fs'
import { stubCalls } from '../stubCalls.ts'

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
  const { openSync, writeSync, fsyncSync, fdatasyncSync, ftruncateSync, closeSync } = fs
  const note = (call: string, file: number) => {
    const name = names.get(file)
    if (name !== undefined) calls.push(`${call} ${name}`)
    return name
  }
  const noted =
    (call: string, real: (file: number, ...more: never[]) => unknown) =>
    (file: number, ...more: never[]) => {
      note(call, file)
      return real(file, ...more)
    }
  stubCalls({
    openSync(...args: Parameters<typeof openSync>) {
      const file = openSync(...args)
      const path = String(args[0])
      const name = path === folder ? '.' : path.slice(folder.length + 1)
      if (path.startsWith(folder) && !name.endsWith('.reserve')) names.set(file, name)
      note('open', file)
      return file
    },
    writeSync(file: number, bytes: Buffer, ...more: never[]) {
      const name = note('write', file)
      const way = name === undefined ? 'well' : (failures.get(name)?.shift() ?? 'well')
      if (way === 'full') throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      return way === 'torn' ? writeSync(file, bytes, 0, bytes.length >> 1) : writeSync(file, bytes, ...more)
    },
    fsyncSync: noted('fsync', fsyncSync),
    fdatasyncSync: noted('fdatasync', fdatasyncSync),
    ftruncateSync: noted('ftruncate', ftruncateSync),
    closeSync(file: number) {
      note('close', file)
      names.delete(file)
      closeSync(file)
    },
  })
  return { calls, fail: (name, ways) => void failures.set(name, [...ways]) }
}
