import { basename, join, relative } from 'node:path'
import { Minimatch } from 'minimatch'
import * as z from 'zod'
import { extendIgnoreRules, type IgnoreRules, ignoreRulesAbove, isIgnored } from '../../files/ignoreRules.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { buildTool, type FileEntry, FileError, ONLY_READS, pathSubject, type ToolUseContext } from '../../Tool.ts'

const nodeSchema: z.ZodType<TreeNode> = z.lazy(() =>
  z.object({
    path: z.string(),
    kind: z.enum(['file', 'directory', 'link', 'other']),
    children: z.array(nodeSchema).readonly(),
  }),
)

/** Shows a folder as a tree, level by level until it is full. */
export const LSTool = buildTool({
  name: 'LS',
  inputSchema: () =>
    z.strictObject({
      path: z.string().optional().describe('the folder; default: the project root'),
      ignore: z.array(z.string().max(1000)).max(100).optional().describe('globs of names to leave out'),
    }),
  outputSchema: () => z.object({ path: z.string(), entries: z.array(nodeSchema).readonly(), truncated: z.boolean() }),
  description: () => 'Lists a folder as a tree; what .gitignore names is not opened.',
  isSearchOrReadCommand: true,
  ...ONLY_READS,
  activity: ({ path }) => `Listing ${path || '.'}`,
  getPath: ({ path }) => path,
  subjects: ({ path }, context) => pathSubject(path || '.', 'read', context),
  async *call({ path, ignore = [] }, context) {
    const folder = context.resolvePath(path || '.').resolved
    const tree = await listTree(folder, ignore, context)
    yield { type: 'result', data: { path: displayPath(folder, context.cwd), ...tree } }
  },
  mapResult: ({ path, entries, truncated }) => {
    if (entries.length === 0) return { content: `${path}/ (nothing to show)` }
    const note = truncated ? '\n(deeper folders are not shown; name one in path)' : ''
    return { content: `${path}/\n${entries.flatMap((node) => renderNode(node, 1)).join('\n')}${note}` }
  },
})

function renderNode(node: TreeNode, depth: number): readonly string[] {
  const mark = { directory: '/', link: '@', other: '|', file: '' }[node.kind]
  const line = `${'  '.repeat(depth)}${visibleName(basename(node.path))}${mark}`
  return [line, ...node.children.flatMap((child) => renderNode(child, depth + 1))]
}

const MAX_ENTRIES = 500

/** So many folders are listed at the same time. */
const AHEAD = 16
const GLOB_OPTIONS = { dot: true, nonegate: true, nocomment: true, noext: true, matchBase: true, braceExpandMax: 1000 }

type TreeNode = {
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
async function listTree(base: string, ignored: readonly string[], context: ToolUseContext): Promise<Tree> {
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
