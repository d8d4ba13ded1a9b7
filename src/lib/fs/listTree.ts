import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { orElse } from '../orElse.ts'
import { diskPath, nameFromDisk } from './diskPath.ts'
import { createIgnoreLookup } from './ignoreLookup.ts'
import { readRegular } from './readRegular.ts'

export type ListOptions = {
  /** Absolute: the base of the paths. */
  readonly top: string
  /** At or below `top`: where to look. */
  readonly folder: string
  /** A tracked path is listed even if it is ignored. */
  readonly tracked: ReadonlySet<string>
  /** Rules in addition to `.gitignore` files. */
  readonly excluded?: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/** A file or link as git keeps it. */
export type TreeContent = { readonly mode: string; readonly content: Uint8Array }

/**
 * The files and links that git would track below a folder, each with its `lstat`. Names are relative to `top`, in the
 * form of `nameFromDisk`. Runs no git and follows no link. A nested repository is an ordinary folder here, without its
 * `.git`: otherwise it could hide changes.
 */
export async function* listTree(options: ListOptions): AsyncGenerator<readonly [string, BigIntStats], void, undefined> {
  const { top, folder, tracked, signal } = options
  const seen = new Set<string>()
  const find = createIgnoreLookup({
    ...{ top, read: textOf, outer: [], plain: options.excluded ?? [] },
  })
  const waiting = [folder]
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    signal?.throwIfAborted()
    for (const entry of await entriesOf(parent)) {
      const own = nameFromDisk(entry.name)
      const path = join(parent, own)
      const name = relative(top, path)
      const isFolder = entry.isDirectory()
      if (own === '.git' || (!tracked.has(name) && find(path, isFolder) !== undefined)) continue
      if (isFolder && !tracked.has(name)) {
        waiting.push(path)
        continue
      }
      const stat = statOf(path)
      if (stat === undefined) continue
      seen.add(name)
      yield [name, stat]
    }
  }
  for (const name of tracked) {
    if (seen.has(name) || !isBelow(join(top, name), folder)) continue
    const stat = parentsAreFolders(top, name) ? statOf(join(top, name)) : undefined
    if (stat !== undefined) yield [name, stat]
  }
}

function entriesOf(folder: string) {
  return readdir(diskPath(folder), { withFileTypes: true, encoding: 'buffer' }).catch(() => [])
}

/** The content of a regular file, or the target of a link; undefined for what git does not store. Never blocks. */
export function readEntry(path: string): TreeContent | undefined {
  const stat = statOf(path)
  if (stat?.isSymbolicLink() === true)
    return { mode: '120000', content: readlinkSync(diskPath(path), { encoding: 'buffer' }) }
  if (stat?.isFile() !== true) return undefined
  const file = openSync(diskPath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const opened = fstatSync(file)
    if (!opened.isFile()) return undefined
    return { mode: (opened.mode & 0o100) === 0 ? '100644' : '100755', content: readFileSync(file) }
  } finally {
    closeSync(file)
  }
}

/** The rules in a regular file. */
function textOf(path: string): string | undefined {
  return readRegular(path)?.toString('utf8')
}

/** True if there is no link between `top` and a path below it. */
export function parentsAreFolders(top: string, name: string): boolean {
  const parent = dirname(name)
  return parent === '.' || (parentsAreFolders(top, parent) && statOf(join(top, parent))?.isDirectory() === true)
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

function statOf(path: string): BigIntStats | undefined {
  return orElse(undefined, () => lstatSync(diskPath(path), { bigint: true, throwIfNoEntry: false }))
}
