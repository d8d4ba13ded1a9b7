import * as z from 'zod'
import { changeTextFile, textChangeSchema } from '../../files/changeTextFile.ts'
import { renderDiff } from '../../files/diffTexts.ts'
import { hasRedactionMark } from '../../lib/secrets/redact.ts'
import { buildTool, FileError, invalid, pathSubject } from '../../Tool.ts'
import { editNotebook } from './editNotebook.ts'

/** Changes one cell of a notebook that was read. Every other cell keeps its bytes. */
export const NotebookEditTool = buildTool({
  name: 'NotebookEdit',
  searchHint: 'jupyter ipynb cell replace insert delete',
  shouldDefer: true,
  inputSchema: () =>
    z.strictObject({
      notebook_path: z.string().describe('absolute, or from the project root'),
      cell_id: z.string().optional().describe('insert comes after it, or first without it'),
      new_source: z.string().optional().describe('what the cell is to hold; not for delete'),
      cell_type: z.enum(['code', 'markdown']).optional().describe('needed for insert'),
      edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('default: replace'),
    }),
  outputSchema: () => textChangeSchema.extend({ editMode: z.string(), cellId: z.string() }),
  description: () => 'Replaces, inserts or deletes one cell of a Jupyter notebook that you have read.',
  activity: ({ notebook_path }) => `Editing ${notebook_path}`,
  getPath: ({ notebook_path }) => notebook_path,
  subjects: ({ notebook_path }, context) => pathSubject(notebook_path, 'write', context),
  validateInput: ({ notebook_path, new_source, edit_mode }) => {
    if (!notebook_path.endsWith('.ipynb'))
      return invalid('notebook_path must end in .ipynb; use Edit for other files', 1)
    if (new_source === undefined && edit_mode !== 'delete')
      return invalid('new_source is missing: what the cell is to hold', 3)
    return hasRedactionMark(new_source ?? '')
      ? invalid('new_source holds a [REDACTED:…] mark, which stands for a secret', 2)
      : { result: true }
  },
  async *call({ notebook_path, cell_id, new_source = '', cell_type, edit_mode = 'replace' }, context) {
    const path = context.resolvePath(notebook_path).resolved
    let cellId = ''
    const change = await changeTextFile(context, path, (text, isStale) => {
      if (isStale) throw new FileError('changed', `${path} changed on disk since it was read; Read it again`)
      const edited = editNotebook(text, { mode: edit_mode, cellId: cell_id, cellType: cell_type, source: new_source })
      cellId = edited.cellId
      return edited.text
    })
    yield { type: 'result', data: { ...change, editMode: edit_mode, cellId } }
  },
  mapResult: ({ editMode, cellId, filePath }) => {
    const done = { replace: 'Replaced', insert: 'Inserted', delete: 'Deleted' }[editMode] ?? 'Changed'
    return { content: `${done} cell ${cellId} in ${filePath}.` }
  },
  renderResult: ({ diff }) => renderDiff(diff),
})
