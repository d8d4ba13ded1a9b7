import { createHash } from 'node:crypto'
import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../lib/fs/folders.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'

/** For larger files, size and change time are compared instead. */
const MAX_HASHED = 8 * 1024 * 1024
const MAX_ENTRIES = 20_000

/** The state of some paths: a fingerprint of each file, link and folder at or below them. */
export type Snapshot = Readonly<ReturnType<typeof takeSnapshot>>

/** The files through which a step sends commands to its runner, as the step's environment names them. */
export function commandFiles(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY']
  return names.flatMap((name) => environment[name] || [])
}

/**
 * A snapshot of files and whole folders by content, and of the entries of `listed` folders by `stat`. Follows no link,
 * opens only regular files, never throws.
 */
export function takeSnapshot(paths: readonly string[], listed: readonly string[] = []) {
  const prints = new Map<string, string>()
  for (const path of paths) record(path, prints)
  for (const folder of listed) for (const name of namesIn(folder).sort()) recordEntry(join(folder, name), prints)
  return { paths, listed, prints: prints as ReadonlyMap<string, string> }
}

/** The paths that were added, changed or removed since a snapshot, sorted. */
export function changesSince({ paths, listed, prints }: Snapshot): string[] {
  const now = takeSnapshot(paths, listed).prints
  const all = new Set([...prints.keys(), ...now.keys()])
  return [...all].filter((path) => prints.get(path) !== now.get(path)).sort()
}

/** True for a folder that was made since a snapshot, or has gone; false if something else is or was in its place. */
export function isFolderSince({ prints }: Snapshot, path: string): boolean {
  const [old, now] = [prints.get(path), statOf(path)]
  return old === undefined ? now?.isDirectory() === true : old.startsWith('folder ') && now === undefined
}

function record(path: string, prints: Map<string, string>): void {
  if (prints.size >= MAX_ENTRIES) return
  const stat = statOf(path)
  if (stat === undefined) return
  if (stat.isDirectory()) {
    prints.set(path, `folder ${stat.mode}`)
    for (const name of namesIn(path).sort()) record(join(path, name), prints)
  } else if (stat.isSymbolicLink()) prints.set(path, `link ${readlinkSync(path)}`)
  else if (stat.isFile()) prints.set(path, `file ${stat.mode} ${contentOf(path, stat)}`)
  else prints.set(path, `other ${stat.mode} ${stat.rdev}`)
}

/** A change of content shows in `ctime`, which only root and the clock can set. */
function recordEntry(path: string, prints: Map<string, string>): void {
  const stat = statOf(path)
  if (stat !== undefined) prints.set(path, `entry ${stat.mode} ${stat.ino} ${stat.size} ${stat.ctimeMs}`)
}

function statOf(path: string): Stats | undefined {
  return orElse(undefined, () => lstatSync(path))
}

function contentOf(path: string, { size, mtimeMs }: Stats): string {
  if (size > MAX_HASHED) return `${size} ${mtimeMs}`
  const bytes = readRegular(path)
  return bytes === undefined ? 'unreadable' : createHash('sha256').update(bytes).digest('hex')
}
