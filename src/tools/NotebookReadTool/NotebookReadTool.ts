import * as z from 'zod'
import { contentBlocksSchema } from '../../contracts/events/contentSchemas.ts'
import { noteStamp } from '../../files/changeTextFile.ts'
import { readTextFile } from '../../files/readTextFile.ts'
import { parseNotebook, renderNotebook } from '../../lib/media/parseNotebook.ts'
import { buildTool, pathSubject, SEARCHES } from '../../Tool.ts'

/** Shows a notebook's cells with their outputs. */
export const NotebookReadTool = buildTool({
  name: 'NotebookRead',
  searchHint: 'jupyter ipynb cells outputs',
  shouldDefer: true,
  inputSchema: () =>
    z.strictObject({
      notebook_path: z.string().describe('absolute, or from the project root'),
      cell_id: z.string().optional().describe('only this cell'),
    }),
  outputSchema: () => z.object({ filePath: z.string(), cells: z.number(), content: contentBlocksSchema }),
  description: () => 'Reads a Jupyter notebook: its cells with ids, sources and outputs.',
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  ...SEARCHES,
  activity: ({ notebook_path }) => `Reading ${notebook_path}`,
  getPath: ({ notebook_path }) => notebook_path,
  subjects: ({ notebook_path }, context) => pathSubject(notebook_path, 'read', context),
  async *call({ notebook_path, cell_id }, context) {
    const path = context.resolvePath(notebook_path).resolved
    const { text, stamp } = await readTextFile(context.files, path)
    const all = parseNotebook(text)
    const cells =
      cell_id === undefined ? all : all.filter((cell, index) => [cell.id, `cell-${index}`].includes(cell_id))
    if (cell_id !== undefined && cells.length === 0) {
      throw new Error(`There is no cell ${cell_id}. The cells: ${all.map((cell) => cell.id).join(', ') || 'none'}.`)
    }
    noteStamp(context.readFileState, path, { ...stamp, isWhole: cell_id === undefined })
    yield { type: 'result', data: { filePath: path, cells: cells.length, content: renderNotebook(cells) } }
  },
  mapResult: ({ content }) => ({ content }),
})
