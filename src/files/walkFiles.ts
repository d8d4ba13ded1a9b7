import { join } from 'node:path'
import { type FileAccess, FileError } from '../contracts/files.ts'
import { extendIgnoreRules, type IgnoreRules, ignoreRulesAbove, isIgnored } from './ignoreRules.ts'

/** Folders of version control, which a search for files never means. */
const SKIPPED = new Set(['.git', '.hg', '.svn', '.jj'])
/** So many folders are listed at the same time. */
export const AHEAD = 16

export type WalkOptions = {
  readonly files: FileAccess
  /** Where to start: absolute, resolved. */
  readonly base: string
  readonly workingDirectories: readonly string[]
  readonly signal: AbortSignal
  /** Excludes a folder and everything below it. */
  isPruned?(folder: string): boolean
  /** Gets each file and folder that a `.gitignore` leaves out. */
  onIgnored?(path: string, isFolder: boolean): void
}

/**
 * The regular files below a folder, folder by folder in the order of names. Follows no link, respects `.gitignore`, and
 * skips what the guard refuses. Only the base itself must be readable.
 */
export async function* walkFiles(options: WalkOptions): AsyncGenerator<string, void, undefined> {
  const { files, base, workingDirectories } = options
  const waiting: Level[] = [{ folder: base, outer: await ignoreRulesAbove(files, workingDirectories, base) }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    options.signal.throwIfAborted()
    const { entries, rules } = await enterLevel(files, base, next, waiting.slice(-AHEAD))
    const folders: string[] = []
    for (const { path, name, kind } of entries) {
      const isFolder = kind === 'directory'
      if (isIgnored(rules, path, isFolder)) options.onIgnored?.(path, isFolder)
      else if (kind === 'file') yield path
      else if (isFolder && !SKIPPED.has(name) && options.isPruned?.(path) !== true) folders.push(path)
    }
    for (const path of folders.reverse()) waiting.push({ folder: path, outer: rules })
  }
}

/** A folder that waits for its turn, and the rules of the folders above it. */
export type Level = { readonly folder: string; readonly outer: IgnoreRules; opened?: ReturnType<typeof openLevel> }

/** What a folder holds, and the rules for that. Lists the next folders meanwhile. Only the base must be readable. */
export function enterLevel(files: FileAccess, base: string, level: Level, next: readonly Level[]) {
  const open = (each: Level) => {
    each.opened ??= openLevel(files, each, each.folder === base)
    // Its error is thrown when its turn comes.
    each.opened.catch(() => undefined)
    return each.opened
  }
  for (const each of next) open(each)
  return open(level)
}

async function openLevel(files: FileAccess, { folder, outer }: Level, isBase: boolean) {
  try {
    const listed = await files.list(folder)
    const hasRules = listed.some(({ name }) => name === '.gitignore')
    const rules = hasRules ? await extendIgnoreRules(outer, files, folder) : outer
    return { entries: listed.map((entry) => ({ ...entry, path: join(folder, entry.name) })), rules }
  } catch (error) {
    if (isBase || !(error instanceof FileError)) throw error
    return { entries: [], rules: outer }
  }
}
