import { type BigIntStats, fstatSync, readFileSync, readlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { diskPath, nameFromDisk, READ, statOf, withFile } from './diskPath.ts'
import { createIgnoreLookup } from './ignoreLookup.ts'
import { readRegular } from './readRegular.ts'

/** A file or link as git keeps it. */
export type TreeContent = { readonly mode: string; readonly content: Uint8Array }

/**
 * The files and links that git would track below a folder, each with its `lstat`. A path that is `tracked` is listed
 * even if it is ignored. Names are relative to the folder, in the form of `nameFromDisk`. Runs no git and follows no
 * link. A nested repository is an ordinary folder here, without its `.git`: otherwise it could hide changes.
 */
export async function* listTree(
  top: string,
  tracked: ReadonlySet<string>,
): AsyncGenerator<readonly [string, BigIntStats], void, undefined> {
  const seen = new Set<string>()
  const find = createIgnoreLookup({ top, read: (path) => readRegular(path)?.toString('utf8'), outer: [] })
  const waiting = [top]
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
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
    if (seen.has(name)) continue
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
  return withFile(path, READ, (file) => {
    const opened = fstatSync(file)
    if (!opened.isFile()) return undefined
    return { mode: (opened.mode & 0o100) === 0 ? '100644' : '100755', content: readFileSync(file) }
  })
}

/** True if there is no link between `top` and a path below it. */
export function parentsAreFolders(top: string, name: string): boolean {
  const parent = dirname(name)
  return parent === '.' || (parentsAreFolders(top, parent) && statOf(join(top, parent))?.isDirectory() === true)
}
