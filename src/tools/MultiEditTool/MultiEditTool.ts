import * as z from 'zod'
import { editTextFile, textChangeSchema } from '../../files/changeTextFile.ts'
import { renderDiff } from '../../files/diffTexts.ts'
import { hasRedactionMark } from '../../lib/secrets/redact.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { counted } from '../../lib/text/words.ts'
import { semanticBoolean } from '../../Tool/semanticValues.ts'
import { buildTool, invalid, pathSubject } from '../../Tool.ts'

/** Several edits of one file, each applied to the result of the previous one: all or none. */
export const MultiEditTool = buildTool({
  name: 'MultiEdit',
  searchHint: 'several edits of one file at once',
  shouldDefer: true,
  inputSchema: () =>
    z.strictObject({
      file_path: z.string().describe('absolute, or from the project root'),
      edits: z
        .array(
          z.strictObject({
            old_string: z.string().describe('exact text, found once in the file'),
            new_string: z.string().describe('the text that replaces it'),
            replace_all: semanticBoolean(z.boolean())
              .optional()
              .describe('replace every place where it is found; default: false'),
          }),
        )
        .min(1)
        .describe('each applies to the result of the one before'),
    }),
  outputSchema: () => textChangeSchema.extend({ edits: z.number() }),
  description: () => 'Several Edits of one file, in order, all or none.',
  activity: ({ file_path, edits }) => `Editing ${file_path} (${counted(edits.length, 'edit')})`,
  getPath: ({ file_path }) => file_path,
  subjects: ({ file_path }, context) => pathSubject(file_path, 'write', context),
  validateInput: ({ edits }) => {
    for (const [index, { old_string, new_string }] of edits.entries()) {
      const problem = problemOf(old_string, new_string, index)
      if (problem !== undefined) return invalid(`edit ${index + 1}: ${problem}`, 1)
    }
    return { result: true }
  },
  async *call({ file_path, edits: given }, context) {
    const path = context.resolvePath(file_path).resolved
    const edits = given.map((edit) => ({
      oldText: edit.old_string,
      newText: edit.new_string,
      isAll: edit.replace_all ?? false,
    }))
    yield { type: 'result', data: { ...(await editTextFile(context, path, edits)), edits: edits.length } }
  },
  mapResult: ({ filePath, edits, diff, wasStale }) => ({
    content: `Applied ${counted(edits, 'edit')} to ${visibleName(filePath)} (+${diff.added} -${diff.removed} lines).${
      wasStale ? ' It had changed on disk since you read it, but the edits still applied.' : ''
    }`,
  }),
  renderResult: ({ diff }) => renderDiff(diff),
})

function problemOf(oldText: string, newText: string, index: number): string | undefined {
  if (oldText === newText) return 'old_string and new_string are the same'
  if (oldText === '' && index > 0) return 'only the first may have an empty old_string, which makes a new file'
  if (hasRedactionMark(newText)) return 'new_string holds a [REDACTED:…] mark, which stands for a secret'
  return undefined
}
