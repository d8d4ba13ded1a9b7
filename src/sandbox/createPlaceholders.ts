import { lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { COMMON_FOLDER } from './gitPlaces.ts'

/** What stands in the place of what must not come to be. */
export interface Placeholders {
  /** Makes those that are missing: at the start, and again before each process, as another run may have removed them. */
  make(): void
  /** Removes those that this run made and that are still as it made them. */
  remove(): void
}

/**
 * An empty folder for every path that does not exist, so that there is something to mount read-only over. A folder also
 * where a file is meant (a path without a `/` at its end): git does not see empty folders, so they are in no status and
 * in no commit. Git would not work with an empty `commondir`; there it is a file that says what holds without it. What a
 * killed run left in a file's place is taken over.
 */
export function createPlaceholders(paths: readonly string[]): Placeholders {
  const made = new Set(paths.filter((path) => !path.endsWith('/') && isAsMade(path)))
  return {
    make() {
      for (const path of paths) for (const folder of makeFolders(path.replace(/\/$/, ''))) made.add(folder)
    },
    remove() {
      for (const path of [...made].toReversed()) if (isAsMade(path)) removePlaceholder(path)
      made.clear()
    },
  }
}

/** Returns the folders that had to be made, the outermost first. */
function makeFolders(path: string): string[] {
  if (isThere(path)) return []
  const parents = makeFolders(dirname(path))
  return make(path) ? [...parents, path] : parents
}

/**
 * False where it cannot be made: on a read-only disk or in another's folder, where no child can make it either; below
 * something that is no folder; or because another run was faster.
 */
function make(path: string): boolean {
  try {
    if (isCommonFolder(path)) writeFileSync(path, COMMON_FOLDER.own, { flag: 'wx' })
    else mkdirSync(path)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'ENOENT', 'EEXIST'].includes(code)) return false
    throw error
  }
}

function removePlaceholder(path: string): void {
  try {
    if (isCommonFolder(path)) rmSync(path)
    else rmdirSync(path)
  } catch {
    // Something stands in it or in its place by now: it belongs to whoever put that there.
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** An empty folder, or a `commondir` with the text that only we write. */
function isAsMade(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (isCommonFolder(path)) return stat?.isFile() === true && readFileSync(path, 'utf8') === COMMON_FOLDER.own
  return stat?.isDirectory() === true && readdirSync(path).length === 0
}

function isCommonFolder(path: string): boolean {
  return basename(path) === COMMON_FOLDER.name
}
