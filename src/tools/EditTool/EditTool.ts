import * as z from 'zod'
import { editTextFile, textChangeSchema } from '../../files/changeTextFile.ts'
import { renderDiff } from '../../files/diffTexts.ts'
import { hasRedactionMark } from '../../lib/secrets/redact.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { semanticBoolean } from '../../Tool/semanticValues.ts'
import { buildTool, invalid, pathSubject } from '../../Tool.ts'

/** Replaces exact text in a file that was read before. */
export const EditTool = buildTool({
  name: 'Edit',
  inputSchema: () =>
    z.strictObject({
      file_path: z.string().describe('absolute, or from the project root'),
      old_string: z.string().describe('exact text that is found once in the file; empty: make a new file'),
      new_string: z.string().describe('the text that replaces it'),
      replace_all: semanticBoolean(z.boolean())
        .optional()
        .describe('replace every place where it is found; default: false'),
    }),
  outputSchema: () =>
    textChangeSchema.extend({ oldString: z.string(), newString: z.string(), replaceAll: z.boolean() }),
  description: () => 'Replaces exact text in a file that you have read.',
  activity: ({ file_path }) => `Editing ${file_path}`,
  getPath: ({ file_path }) => file_path,
  subjects: ({ file_path }, context) => pathSubject(file_path, 'write', context),
  validateInput: ({ file_path, old_string, new_string }) => {
    if (file_path.toLowerCase().endsWith('.ipynb')) {
      const message = `${file_path} is a notebook: change one cell of it with NotebookEdit`
      return invalid(message, 3, { tool: 'NotebookEdit' })
    }
    if (old_string === new_string) return invalid('old_string and new_string are the same', 1)
    if (hasRedactionMark(new_string))
      return invalid('new_string holds a [REDACTED:…] mark, which stands for a secret', 2)
    return { result: true }
  },
  async *call({ file_path, old_string, new_string, replace_all = false }, context) {
    const path = context.resolvePath(file_path).resolved
    const edits = [{ oldText: old_string, newText: new_string, isAll: replace_all }]
    const change = await editTextFile(context, path, edits)
    yield {
      type: 'result',
      data: { ...change, oldString: old_string, newString: new_string, replaceAll: replace_all },
    }
  },
  mapResult: ({ filePath, originalFile, diff, wasStale }) => ({
    content: `${originalFile === null ? 'Created' : 'Edited'} ${visibleName(filePath)} (+${diff.added} -${diff.removed} lines).${
      wasStale ? ' It had changed on disk since you read it, but the edit still applied.' : ''
    }`,
  }),
  renderResult: ({ diff }) => renderDiff(diff),
})
