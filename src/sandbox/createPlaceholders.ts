import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'

/** Leads git to another folder for configuration and hooks; its text in a repository that has none: the folder itself. */
export const COMMON_FOLDER = { name: 'commondir', own: '.\n' } as const

/** What stands in the place of what must not come to be. */
export interface Placeholders {
  /** Makes those that are missing. */
  make(): void
  /** True where one of them stands, whoever made it. */
  areLeft(): boolean
  /** Removes those that are still as they were made, whoever made them, but for what is another's to keep. */
  remove(isKept: (path: string) => boolean): void
}

/** The time of change of a placeholder, in seconds: known by it, also to a run that comes after a killed one. */
const MARK = Date.UTC(2001, 1, 3, 4, 5, 6) / 1000

/**
 * An empty folder for every path that does not exist, so that there is something to mount read-only over. A folder also
 * where a file is meant (a path without a `/` at its end): git does not see empty folders, so they are in no status and
 * in no commit. Git would not work with an empty `commondir`; there it is a file that says what holds without it.
 */
export function createPlaceholders(paths: readonly string[]): Placeholders {
  return {
    make() {
      for (const path of paths) makeFolders(path.replace(/\/$/, ''))
    },
    areLeft: () => paths.some((path) => isLeft(path.replace(/\/$/, ''), !path.endsWith('/'))),
    remove(isKept) {
      for (const path of paths) removeUpwards(path.replace(/\/$/, ''), !path.endsWith('/'), isKept)
    },
  }
}

/** True for what this or another run put there only for a sandbox to stand on, and where nothing was put since. */
export function isPlaceholder(path: string): boolean {
  return isMarked(path) && isAsMade(path)
}

function makeFolders(path: string): void {
  if (isThere(path)) return
  const parent = dirname(path)
  makeFolders(parent)
  keepMark(parent, () => make(path))
}

/**
 * Nothing comes to be on a read-only disk or in another's folder, where no child can make it either; below something that
 * is no folder; or where another run was faster.
 */
function make(path: string): void {
  try {
    if (isCommonFolder(path)) writeFileSync(path, COMMON_FOLDER.own, { flag: 'wx' })
    else mkdirSync(path)
    mark(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'ENOENT', 'EEXIST', 'ELOOP'].includes(code)) throw error
  }
}

/** In a file's place it needs no mark: nothing else makes an empty folder there. */
function isLeft(path: string, isForFile: boolean): boolean {
  return isAsMade(path) && (isForFile || isMarked(path))
}

function removeUpwards(path: string, isForFile: boolean, isKept: (path: string) => boolean): void {
  if (isKept(path)) return
  const parent = dirname(path)
  if (isThere(path)) {
    if (!isLeft(path, isForFile)) return
    keepMark(parent, () => remove(path))
  }
  removeUpwards(parent, false, isKept)
}

function remove(path: string): void {
  try {
    if (isCommonFolder(path)) rmSync(path)
    else rmdirSync(path)
  } catch {
    // Something stands in it or in its place by now: it belongs to whoever put that there.
  }
}

/** A change in a folder is a change of it. */
function keepMark(folder: string, change: () => void): void {
  const before = isMarked(folder)
  change()
  if (before) mark(folder)
}

function mark(path: string): void {
  try {
    utimesSync(path, MARK, MARK)
  } catch {
    // It is another user's, or gone: then nobody takes it for a placeholder.
  }
}

function isThere(path: string): boolean {
  return statOf(path) !== undefined
}

function isMarked(path: string): boolean {
  const stat = statOf(path)
  return typeof stat === 'object' && stat.mtimeMs === MARK * 1000
}

/** An empty folder, or a `commondir` with the text that only we write. */
function isAsMade(path: string): boolean {
  const stat = statOf(path)
  if (typeof stat !== 'object') return false
  try {
    if (isCommonFolder(path)) return stat.isFile() && readFileSync(path, 'utf8') === COMMON_FOLDER.own
    return stat.isDirectory() && readdirSync(path).length === 0
  } catch {
    // A command has locked it, or somebody removed it just now.
    return false
  }
}

/** Undefined where nothing is; `closed` where nobody can say: behind a loop of links, or in a folder that is locked. */
function statOf(path: string): Stats | 'closed' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return 'closed'
  }
}

function isCommonFolder(path: string): boolean {
  return basename(path) === COMMON_FOLDER.name
}
