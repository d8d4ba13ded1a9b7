import { createHash } from 'node:crypto'
import { type BigIntStats, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { statOf } from '../../lib/fs/diskPath.ts'
import { namesIn } from '../../lib/fs/folders.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'

/** Larger files, and all that come after so many, are compared by their `stat`. */
const MAX_HASHED = 8 * 1024 * 1024
const MAX_READ = 2000

/** The state of some paths: a fingerprint of each file, link and folder at or below them. */
export type Snapshot = Readonly<ReturnType<typeof takeSnapshot>>

/** The files through which a step sends commands to its runner, as the step's environment names them. */
export function commandFiles(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY']
  return names.flatMap((name) => environment[name] || [])
}

type Prints = ReadonlyMap<string, string>

/**
 * A snapshot of files and whole folders by content, and of the entries of `listed` folders by `stat`. Follows no link,
 * opens only regular files, never throws. `before`: an earlier one, to compare each path as that did.
 */
export function takeSnapshot(paths: readonly string[], listed: readonly string[] = [], before?: Prints) {
  const prints = new Map<string, string>()
  for (const path of paths) record(path, prints, before)
  for (const folder of listed) {
    for (const name of namesIn(folder).sort()) {
      const path = join(folder, name)
      const stat = statOf(path)
      if (stat !== undefined) prints.set(path, entryPrint(stat))
    }
  }
  return { paths, listed, prints: prints as Prints }
}

/** The paths that were added, changed or removed since a snapshot, sorted. */
export function changesSince({ paths, listed, prints }: Snapshot): string[] {
  const now = takeSnapshot(paths, listed, prints).prints
  const all = new Set([...prints.keys(), ...now.keys()])
  return [...all].filter((path) => prints.get(path) !== now.get(path)).sort()
}

/** True for a folder that was made since a snapshot, or has gone; false if something else is or was in its place. */
export function isFolderSince({ prints }: Snapshot, path: string): boolean {
  const [old, now] = [prints.get(path), statOf(path)]
  return old === undefined ? now?.isDirectory() === true : old.startsWith('folder ') && now === undefined
}

function record(path: string, prints: Map<string, string>, before: Prints | undefined): void {
  const stat = statOf(path)
  if (stat === undefined) return
  if (stat.isDirectory()) {
    prints.set(path, `folder ${stat.mode}`)
    for (const name of namesIn(path).sort()) record(join(path, name), prints, before)
  } else if (stat.isSymbolicLink()) prints.set(path, `link ${readlinkSync(path)}`)
  else if (!stat.isFile()) prints.set(path, `other ${stat.mode} ${stat.rdev}`)
  else {
    const isRead = before?.get(path)?.startsWith('file ') ?? prints.size < MAX_READ
    prints.set(path, isRead && stat.size <= MAX_HASHED ? `file ${stat.mode} ${hashOf(path)}` : entryPrint(stat))
  }
}

/** A change of content shows in `ctime`, which only root and the clock can set. */
function entryPrint({ mode, ino, size, ctimeNs }: BigIntStats): string {
  return `entry ${mode} ${ino} ${size} ${ctimeNs}`
}

function hashOf(path: string): string {
  const bytes = readRegular(path)
  return bytes === undefined ? 'unreadable' : createHash('sha256').update(bytes).digest('hex')
}
