import * as z from 'zod'
import { decodeText } from '../../lib/decodeText.ts'
import { parseNotebook } from '../../lib/parseNotebook.ts'
import { renderNotebook } from '../../lib/renderNotebook.ts'
import { semanticNumber } from '../../lib/semanticNumber.ts'
import { buildTool, type FileContent, FileError, lazySchema, type ToolResult, type ToolUseContext } from '../../Tool.ts'
import { formatLines, splitLines } from './formatLines.ts'
import { noteRead } from './noteRead.ts'
import { readLargeText } from './readLargeText.ts'
import { type ImageOutput, type PdfOutput, readMedia } from './readMedia.ts'
import { readOrAdvise } from './readOrAdvise.ts'

const DEFAULT_LINES = 2000

const inputSchema = lazySchema(() =>
  z.strictObject({
    file_path: z.string(),
    offset: semanticNumber(z.number().nonnegative()).optional().describe('first line, from 1'),
    limit: semanticNumber(z.number().positive()).optional().describe('lines'),
    pages: z.string().optional().describe('of a PDF: "3", "1-5"'),
  }),
)

type ReadInput = z.infer<ReturnType<typeof inputSchema>>
/** `totalLines` is null where the end was not reached. */
type TextOutput = {
  readonly type: 'text'
  readonly filePath: string
  readonly content: string
  readonly startLine: number
  readonly numLines: number
  readonly totalLines: number | null
}
type NotebookOutput = { readonly type: 'notebook'; readonly filePath: string; readonly content: ToolResult['content'] }
type ReadOutput = TextOutput | NotebookOutput | ImageOutput | (PdfOutput & { readonly wanted: string | undefined })

/** Shows a file to the model: text by lines, images and PDFs as the API takes them, notebooks by cells. */
export const ReadTool = buildTool<ReadInput, ReadOutput>({
  name: 'Read',
  aliases: ['FileReadTool', 'FileRead', 'View'],
  inputSchema,
  description: () => 'Reads a file: text with line numbers (2,000 lines from offset), image, PDF or notebook.',
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  isSearchOrReadCommand: true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  activity: ({ file_path }) => `Reading ${file_path}`,
  getPath: ({ file_path }) => file_path,
  subjects: ({ file_path }, context) => [
    { kind: 'path', access: 'read', path: context.resolvePath(file_path), source: 'tool' },
  ],
  validateInput: ({ pages }) =>
    pages === undefined || pages === '' || /^\s*\d+\s*(-\s*\d+\s*)?$/.test(pages)
      ? { result: true }
      : { result: false, message: 'pages must be a number or a range: "3" or "1-5"', errorCode: 1 },
  async *call(input, context) {
    const path = context.resolvePath(input.file_path).resolved
    const file = await readOrAdvise(path, context)
    const data = await readAny(path, file, input, context)
    noteRead(path, file.stamp, data.type === 'text' ? data : 'all', context)
    yield { type: 'result', data }
  },
  mapResult,
})

async function readAny(
  path: string,
  file: FileContent,
  { offset, limit = DEFAULT_LINES, pages }: ReadInput,
  context: ToolUseContext,
): Promise<ReadOutput> {
  const media = readMedia(path, file.bytes, file.size)
  if (media) return media.type === 'pdf' ? { ...media, wanted: pages } : media
  const start = Math.max(1, Math.floor(offset ?? 1))
  if (file.bytes.length < file.size) {
    const { lines, isEnd } = await readLargeText(context.files, path, { start, limit }, context.signal)
    return toText(path, lines, start, isEnd ? start - 1 + lines.length : null)
  }
  const decoded = decodeText(file.bytes)
  if (!decoded)
    throw new FileError('not_regular', `${path} is a binary file of ${file.size} bytes; only a command can read it`)
  if (path.endsWith('.ipynb') && offset === undefined) {
    return { type: 'notebook', filePath: path, content: renderNotebook(parseNotebook(decoded.text)) }
  }
  const lines = splitLines(decoded.text)
  return toText(path, lines.slice(start - 1, start - 1 + limit), start, lines.length)
}

function toText(filePath: string, lines: readonly string[], startLine: number, totalLines: number | null): TextOutput {
  const { content, count } = formatLines(lines, startLine)
  return { type: 'text', filePath, content, startLine, numLines: count, totalLines }
}

function mapResult(data: ReadOutput): ToolResult {
  switch (data.type) {
    case 'text':
      return { content: withNote(data) }
    case 'notebook':
      return { content: data.content }
    case 'image':
      return { content: [{ type: 'image', source: { type: 'base64', media_type: data.mediaType, data: data.base64 } }] }
    case 'pdf': {
      const wanted = data.wanted === undefined || data.wanted === '' ? '' : `; you asked for page ${data.wanted}`
      const text = `PDF, ${data.pages ?? 'unknown number of'} pages, whole document${wanted}.`
      const source = { type: 'base64', media_type: 'application/pdf', data: data.base64 } as const
      return {
        content: [
          { type: 'text', text },
          { type: 'document', source },
        ],
      }
    }
  }
}

/** Says where the rest is when only a part is shown. */
function withNote({ content, startLine, numLines, totalLines }: TextOutput): string {
  if (totalLines === 0) return '(the file is empty)'
  if (numLines === 0) return `(line ${startLine} is beyond the end: the file has ${totalLines ?? 'fewer'} lines)`
  const last = startLine + numLines - 1
  if (startLine === 1 && last === totalLines) return content
  const rest = last === totalLines ? '' : `; offset ${last + 1} goes on`
  return `${content}\n(lines ${startLine}-${last}${totalLines === null ? '' : ` of ${totalLines}`}${rest})`
}
