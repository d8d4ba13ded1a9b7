import { join, relative } from 'node:path'
import { Minimatch } from 'minimatch'
import { extendIgnoreRules, type IgnoreRules, ignoreRulesAbove, isIgnored } from '../../files/ignoreRules.ts'
import { type FileEntry, FileError, type ToolUseContext } from '../../Tool.ts'

const MAX_ENTRIES = 500
/** So many folders are listed at the same time. */
const AHEAD = 16
const GLOB_OPTIONS = { dot: true, nonegate: true, nocomment: true, noext: true, matchBase: true, braceExpandMax: 1000 }

export type TreeNode = {
  readonly path: string
  readonly kind: FileEntry['kind']
  readonly children: readonly TreeNode[]
}
type Tree = { readonly entries: readonly TreeNode[]; readonly truncated: boolean }
type Listed = { readonly entries: readonly { path: string; kind: FileEntry['kind'] }[]; readonly rules: IgnoreRules }
type Level = {
  readonly folder: string
  readonly outer: IgnoreRules
  readonly children: TreeNode[]
  listed?: Promise<Listed>
}

/** A folder and its contents, upper levels first, up to `MAX_ENTRIES`. The folder itself is always shown completely. */
export async function listTree(base: string, ignored: readonly string[], context: ToolUseContext): Promise<Tree> {
  const globs = ignored.map((pattern) => new Minimatch(pattern.replace(/\/$/, ''), GLOB_OPTIONS))
  const isHidden = (path: string) => globs.some((glob) => glob.match(relative(base, path)))
  const outer = await ignoreRulesAbove(context.files, context.workingDirectories, base)
  const root: Level = { folder: base, outer, children: [] }
  const waiting = [root]
  let count = 0
  let truncated = false
  const list = (level: Level) => {
    const listed = listLevel(level, context, level === root)
    // Its error is thrown when its turn comes.
    listed.catch(() => undefined)
    return listed
  }
  for (const [index, level] of waiting.entries()) {
    context.signal.throwIfAborted()
    for (const each of waiting.slice(index, index + AHEAD)) each.listed ??= list(each)
    const { entries, rules } = await (level.listed ?? list(level))
    const most = count > 0 ? MAX_ENTRIES - count : Number.POSITIVE_INFINITY
    const shown = takeWhileFitting(entries, most, ({ path, kind }) => !isHidden(path) && isVisible(path, kind, context))
    if (shown === undefined) {
      truncated = true
      if (most <= 0) break
      continue
    }
    count += shown.length
    for (const { path, kind } of shown) {
      const children: TreeNode[] = []
      level.children.push({ path, kind, children })
      const isOpened = kind === 'directory' && !path.endsWith('/.git') && !isIgnored(rules, path, true)
      if (isOpened) waiting.push({ folder: path, outer: rules, children })
    }
  }
  return { entries: root.children, truncated }
}

/** The visible entries of a level; undefined if they do not fit. Entries beyond the limit are not checked. */
function takeWhileFitting<Entry>(entries: readonly Entry[], most: number, isShown: (entry: Entry) => boolean) {
  const shown: Entry[] = []
  for (const entry of entries) {
    if (!isShown(entry)) continue
    if (shown.length >= most) return undefined
    shown.push(entry)
  }
  return shown
}

/** Folders are always visible; each file needs permission. */
function isVisible(path: string, kind: FileEntry['kind'], context: ToolUseContext): boolean {
  return kind === 'directory' || context.mayRead(path)
}

async function listLevel({ folder, outer }: Level, context: ToolUseContext, isRoot: boolean): Promise<Listed> {
  try {
    const listed = await context.files.list(folder)
    const entries = listed.map(({ name, kind }) => ({ path: join(folder, name), kind }))
    const hasRules = listed.some(({ name, kind }) => name === '.gitignore' && kind === 'file')
    return { entries, rules: hasRules ? await extendIgnoreRules(outer, context.files, folder) : outer }
  } catch (error) {
    if (!isRoot && error instanceof FileError) return { entries: [], rules: outer }
    throw error
  }
}
