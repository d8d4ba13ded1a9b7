import * as z from 'zod'
import { changeTextFile, createTextFile, type TextChange, textChangeSchema } from '../../files/changeTextFile.ts'
import { renderDiff } from '../../files/diffTexts.ts'
import { mainLineEnd, withLineEnd } from '../../files/replaceText.ts'
import { fileError } from '../../files/toFileError.ts'
import { hasRedactionMark } from '../../lib/secrets/redact.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { counted } from '../../lib/text/words.ts'
import { buildTool, invalid, pathSubject, type ReadStamp, type ToolUseContext } from '../../Tool.ts'

/** Writes a whole file. An existing file must have been read, and not have changed since. */
export const WriteTool = buildTool({
  name: 'Write',
  inputSchema: () =>
    z.strictObject({
      file_path: z.string().describe('absolute, or from the project root'),
      content: z.string().describe('the whole new text of the file'),
    }),
  outputSchema: () => textChangeSchema.extend({ type: z.enum(['create', 'update']), content: z.string() }),
  description: () => 'Writes a whole file. One that exists must be read first; prefer Edit for changes.',
  activity: ({ file_path }) => `Writing ${file_path}`,
  getPath: ({ file_path }) => file_path,
  subjects: ({ file_path }, context) => pathSubject(file_path, 'write', context),
  validateInput: ({ content }) =>
    hasRedactionMark(content)
      ? invalid('content holds a [REDACTED:…] mark, which stands for a secret', 2)
      : { result: true },
  async *call({ file_path, content }, context) {
    const path = context.resolvePath(file_path).resolved
    const isNew = (await context.files.stat(path)) === undefined
    const change = isNew ? await createTextFile(context, path, content) : await overwrite(path, content, context)
    yield { type: 'result', data: { ...change, type: isNew ? 'create' : 'update', content } }
  },
  mapResult: ({ type, filePath, diff }) => ({
    content:
      type === 'create'
        ? `Created ${visibleName(filePath)} (${counted(diff.added, 'line')}).`
        : `Wrote ${visibleName(filePath)} (+${diff.added} -${diff.removed} lines).`,
  }),
  renderResult: ({ diff }) => renderDiff(diff),
})

/** Keeps the file's encoding, and its line ends unless `content` has CRLF. */
async function overwrite(path: string, content: string, context: ToolUseContext): Promise<TextChange> {
  const known = context.readFileState.get(path)
  return changeTextFile(context, path, (text, isStale) => {
    if (isStale) throw fileError('changed', path, 'changed on disk since it was read; Read it again')
    if (known?.isWhole === false) throw fileError('changed', path, `was read in part; ${restOf(known)}`)
    return content.includes('\r\n') ? content : withLineEnd(content, mainLineEnd(text))
  })
}

/** Says which lines must still be read: overwriting would lose them. */
function restOf({ seenLines = 0 }: ReadStamp): string {
  return `Read it from offset ${seenLines + 1} to its end first, or change it with Edit`
}
