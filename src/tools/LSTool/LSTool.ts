import { basename, relative } from 'node:path'
import { Minimatch } from 'minimatch'
import * as z from 'zod'
import { ignoreRulesAbove, isIgnored } from '../../files/ignoreRules.ts'
import { AHEAD, enterLevel, type Level } from '../../files/walkFiles.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { buildTool, type FileEntry, pathSubject, SEARCHES, type ToolUseContext } from '../../Tool.ts'

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
  ...SEARCHES,
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
const GLOB_OPTIONS = { dot: true, nonegate: true, nocomment: true, noext: true, matchBase: true, braceExpandMax: 1000 }

type TreeNode = {
  readonly path: string
  readonly kind: FileEntry['kind']
  readonly children: readonly TreeNode[]
}
type Tree = { readonly entries: readonly TreeNode[]; readonly truncated: boolean }

/** A folder and its contents, upper levels first, up to `MAX_ENTRIES`. The folder itself is always shown completely. */
async function listTree(base: string, ignored: readonly string[], context: ToolUseContext): Promise<Tree> {
  const globs = ignored.map((pattern) => new Minimatch(pattern.replace(/\/$/, ''), GLOB_OPTIONS))
  const isHidden = (path: string) => globs.some((glob) => glob.match(relative(base, path)))
  const outer = await ignoreRulesAbove(context.files, context.workingDirectories, base)
  const top: TreeNode[] = []
  const waiting: (Level & { readonly children: TreeNode[] })[] = [{ folder: base, outer, children: top }]
  let count = 0
  let truncated = false
  for (const [index, level] of waiting.entries()) {
    context.signal.throwIfAborted()
    const { entries, rules } = await enterLevel(context.files, base, level, waiting.slice(index + 1, index + AHEAD))
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
  return { entries: top, truncated }
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
