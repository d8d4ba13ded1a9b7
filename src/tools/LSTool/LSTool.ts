import { basename } from 'node:path'
import * as z from 'zod'
import { displayPath } from '../../lib/fs/paths.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { buildTool, lazySchema } from '../../Tool.ts'
import { listTree, type TreeNode } from './listTree.ts'

const inputSchema = lazySchema(() =>
  z.strictObject({
    path: z.string().optional().describe('the folder; default: the project root'),
    ignore: z.array(z.string().max(1000)).max(100).optional().describe('globs of names to leave out'),
  }),
)

const nodeSchema: z.ZodType<TreeNode> = z.lazy(() =>
  z.object({
    path: z.string(),
    kind: z.enum(['file', 'directory', 'link', 'other']),
    children: z.array(nodeSchema).readonly(),
  }),
)
const outputSchema = lazySchema(() =>
  z.object({ path: z.string(), entries: z.array(nodeSchema).readonly(), truncated: z.boolean() }),
)

/** Shows a folder as a tree, level by level until it is full. */
export const LSTool = buildTool({
  name: 'LS',
  aliases: ['LSTool'],
  inputSchema,
  outputSchema,
  description: () => 'Lists a folder as a tree; what .gitignore names is not opened.',
  isSearchOrReadCommand: true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  activity: ({ path = '.' }) => `Listing ${path}`,
  getPath: ({ path }) => path,
  subjects: ({ path }, context) => [
    { kind: 'path', access: 'read', path: context.resolvePath(path || '.'), source: 'tool' },
  ],
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
