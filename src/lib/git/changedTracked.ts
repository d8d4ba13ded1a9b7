import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { readRegular } from '../fs/readRegular.ts'
import { readIndex } from './readIndex.ts'

/** More files, or more bytes, are not read: a run does not wait for it. */
const MAX_FILES = 5000
const MAX_READ = 200

/**
 * Tracked files that differ from git's index, by name relative to `top`. Runs no git. Undefined if it would take too
 * long, or the index has an unsupported format.
 */
export async function changedTracked(top: string, gitDir: string): Promise<readonly string[] | undefined> {
  const index = await readIndex(join(gitDir, 'index'))
  if (index === undefined || index.size > MAX_FILES) return undefined
  const entries = [...index].filter(([, { mode }]) => mode.startsWith('100'))
  const stats = await Promise.all(
    entries.map(([name]) => lstat(join(top, name), { bigint: true }).catch(() => undefined)),
  )
  const doubtful = entries.filter(([, { stamp }], at) => stamp === undefined || stamp !== stampOf(stats[at]))
  if (doubtful.length > MAX_READ) return undefined
  return doubtful.filter(([name, { oid }]) => oidOf(join(top, name)) !== oid).map(([name]) => name)
}

type Stat = Awaited<ReturnType<typeof lstat>> & Record<'ctimeNs' | 'mtimeNs' | 'ino' | 'size', bigint>

function stampOf(stat: unknown): string | undefined {
  if (stat === undefined) return undefined
  const { ctimeNs, mtimeNs, ino, size } = stat as Stat
  const second = 1_000_000_000n
  const mask = 0xffffffffn
  const times = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second]
  return [...times, ino & mask, size & mask].join(' ')
}

/** The object name of the content, without filters. */
function oidOf(path: string): string | undefined {
  const bytes = readRegular(path)
  return bytes && createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
