import { join } from 'node:path'
import { type FileAccess, type FileEntry, FileError } from '../contracts/files.ts'
import { extendIgnoreRules, type IgnoreRules, ignoreRulesAbove, isIgnored } from './ignoreRules.ts'

/** Folders of version control, which a search for files never means. */
const SKIPPED = new Set(['.git', '.hg', '.svn', '.jj'])
/** So many folders are listed at the same time. */
const AHEAD = 16

type Waiting = { readonly folder: string; readonly outer: IgnoreRules; listed?: Promise<readonly FileEntry[]> }

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
  const list = (folder: string) => {
    const listed = listOrSkip(files, folder, folder === base)
    // Its error is thrown when its turn comes.
    listed.catch(() => undefined)
    return listed
  }
  const waiting: Waiting[] = [{ folder: base, outer: await ignoreRulesAbove(files, workingDirectories, base) }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    options.signal.throwIfAborted()
    const { folder } = next
    for (const each of waiting.slice(-AHEAD)) each.listed ??= list(each.folder)
    const entries = await (next.listed ?? list(folder))
    const hasRules = entries.some((entry) => entry.name === '.gitignore')
    const rules: IgnoreRules = hasRules ? await extendIgnoreRules(next.outer, files, folder) : next.outer
    const folders: string[] = []
    for (const { name, kind } of entries) {
      const path = join(folder, name)
      const isFolder = kind === 'directory'
      if (isIgnored(rules, path, isFolder)) options.onIgnored?.(path, isFolder)
      else if (kind === 'file') yield path
      else if (isFolder && !SKIPPED.has(name) && options.isPruned?.(path) !== true) folders.push(path)
    }
    for (const path of folders.reverse()) waiting.push({ folder: path, outer: rules })
  }
}

async function listOrSkip(files: FileAccess, folder: string, isBase: boolean) {
  try {
    return await files.list(folder)
  } catch (error) {
    if (!isBase && error instanceof FileError) return []
    throw error
  }
}
