import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { noteStamp } from '../../files/changeTextFile.ts'
import { decodeText } from '../../files/decodeText.ts'
import { MAX_TEXT_BYTES } from '../../files/readTextFile.ts'
import { fileError } from '../../files/toFileError.ts'
import { parseNotebook, renderNotebook } from '../../lib/media/parseNotebook.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { counted } from '../../lib/text/words.ts'
import { semanticNumber } from '../../Tool/semanticValues.ts'
import {
  buildTool,
  type FileContent,
  FileError,
  type FileStat,
  invalid,
  pathSubject,
  type ReadStamp,
  SEARCHES,
  type ToolResult,
  type ToolUseContext,
} from '../../Tool.ts'
import { readLargeText } from './readLargeText.ts'
import { readMedia } from './readMedia.ts'
import { type OutputOf, type ReadOutput, readOutputSchema } from './readOutputSchema.ts'
import { pagesOf, parsePages, readPdfPages } from './readPdfPages.ts'

const DEFAULT_LINES = 2000
/** About 65,000 tokens of text. Larger files must be read in parts. Notebooks are shown by cells. */
const MAX_BYTES_AT_ONCE = 256 * 1024

const inputSchema = () =>
  z.strictObject({
    file_path: z.string().describe('absolute, or from the project root'),
    offset: semanticNumber(z.number().nonnegative()).optional().describe('the first line, counted from 1; default: 1'),
    limit: semanticNumber(z.number().positive()).optional().describe('lines at most; default: 2000'),
    pages: z.string().optional().describe('pages of a PDF: "3" or "1-5"; default: all, at most 100'),
  })

type ReadInput = z.infer<ReturnType<typeof inputSchema>>
type TextOutput = OutputOf<'text'>

/** Shows a file to the model: text by lines, images and PDFs as the API accepts them, notebooks by cells. */
export const ReadTool = buildTool({
  name: 'Read',
  inputSchema,
  outputSchema: readOutputSchema,
  description: () => 'Reads a file: text with line numbers, an image, a PDF, or a notebook by its cells.',
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  ...SEARCHES,
  activity: ({ file_path }) => `Reading ${file_path}`,
  getPath: ({ file_path }) => file_path,
  subjects: ({ file_path }, context) => pathSubject(file_path, 'read', context),
  validateInput: ({ pages }) =>
    pages === undefined || pages === '' || parsePages(pages) !== undefined
      ? { result: true }
      : invalid('pages must be a number or a range: "3" or "1-5"', 1),
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
  { offset, limit: asked, pages }: ReadInput,
  context: ToolUseContext,
): Promise<ReadOutput> {
  const isPart = pages !== undefined && pages !== ''
  const media = readMedia(path, file.bytes, { size: file.size, isPart })
  if (media) return media.type === 'pdf' && isPart ? { ...(await readPdfPages(media, pages)), wanted: pages } : media
  const start = Math.max(1, Math.floor(offset ?? 1))
  const limit = asked ?? DEFAULT_LINES
  const isWhole = offset === undefined && asked === undefined && !path.endsWith('.ipynb')
  if (file.size > MAX_BYTES_AT_ONCE && isWhole) throw tooLarge(path, file)
  if (file.bytes.length < file.size) {
    const { lines, isEnd } = await readLargeText(context.files, path, { start, limit }, context.signal)
    return toText(path, lines, start, isEnd ? start - 1 + lines.length : null)
  }
  const decoded = decodeText(file.bytes)
  if (!decoded) throw binary(path, file.size)
  if (path.endsWith('.ipynb') && offset === undefined) {
    return { type: 'notebook', filePath: path, content: renderNotebook(parseNotebook(decoded.text)) }
  }
  const lines = splitLines(decoded.text)
  return toText(path, lines.slice(start - 1, start - 1 + limit), start, lines.length)
}

function tooLarge(path: string, { bytes, size }: FileContent): FileError {
  if (decodeText(bytes.subarray(0, 8000)) === undefined) return binary(path, size)
  const message = `${visibleName(path)} has ${size} bytes, too many to read at once: give offset and limit, or find the place with Grep`
  return new FileError('too_large', message)
}

function binary(path: string, size: number): FileError {
  return fileError('not_regular', path, `is a binary file of ${size} bytes; only a command can read it`)
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
      const part = data.isCut === true ? `only ${pagesOf(data.wanted ?? '')}` : 'whole document'
      const left = data.wanted === undefined || data.isCut === true ? '' : `; you asked for ${pagesOf(data.wanted)}`
      const text = `PDF, ${data.pages === null ? 'an unknown number of pages' : counted(data.pages, 'page')}, ${part}${left}.`
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
  if (numLines === 0)
    return `(line ${startLine} is beyond the end: the file has ${totalLines === null ? 'fewer lines' : counted(totalLines, 'line')})`
  const last = startLine + numLines - 1
  if (startLine === 1 && last === totalLines) return content
  const rest = last === totalLines ? '' : `; continue with offset=${last + 1}`
  const range = startLine === last ? `line ${last}` : `lines ${startLine}-${last}`
  return `${content}\n(${range}${totalLines === null ? '' : ` of ${totalLines}`}${rest})`
}

const MAX_LINE_CHARS = 2000
/** About 25,000 tokens, ten times a page of ordinary code. */
const MAX_TOTAL_CHARS = 100_000

/** Lines as `cat -n` prints them, without its padding; how many of them fitted. The first always does. */
type FormattedLines = { readonly content: string; readonly count: number }

/** Numbers lines from `start`, cuts long ones, and stops at the length limit. Pure. */
function formatLines(lines: readonly string[], start: number): FormattedLines {
  const shown: string[] = []
  let total = 0
  for (const [index, line] of lines.entries()) {
    const text = `${start + index}\t${cutLine(line)}`
    total += text.length + 1
    if (total > MAX_TOTAL_CHARS && index > 0) break
    shown.push(text)
  }
  return { content: shown.join('\n').toWellFormed(), count: shown.length }
}

/** The lines of a text without line ends. A final line end does not start a new line. */
function splitLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line
  return `${line.slice(0, MAX_LINE_CHARS)} [… ${line.length - MAX_LINE_CHARS} more characters]`
}

/** The lines that were shown, and their total number; null if the end was not reached. */
type Shown = { readonly startLine: number; readonly numLines: number; readonly totalLines: number | null }

/**
 * Tracks how much of a file the model has read. Consecutive parts from the top count as the whole file once they reach
 * the end. If the file changed in between, tracking starts over.
 */
function noteRead(path: string, stamp: ReadStamp, shown: Shown | 'all', { readFileState }: ToolUseContext): void {
  const known = readFileState.get(path)
  const before = known !== undefined && isSame(known, stamp) ? known : undefined
  if (shown === 'all' || before?.isWhole === true) {
    noteStamp(readFileState, path, { ...stamp, isWhole: true })
    return
  }
  const seen = before?.seenLines ?? 0
  const last = shown.startLine + shown.numLines - 1
  const seenLines = shown.startLine <= seen + 1 ? Math.max(seen, last) : seen
  noteStamp(readFileState, path, { ...stamp, isWhole: seenLines === shown.totalLines, seenLines })
}

function isSame(a: ReadStamp, b: ReadStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.size === b.size && a.sha256 === b.sha256
}

/** Reads a file. Adds advice to the errors of the guard. */
async function readOrAdvise(path: string, context: ToolUseContext): Promise<FileContent> {
  try {
    return await context.files.read(path, { maxBytes: MAX_TEXT_BYTES })
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const advice = await adviceFor(error, path, context)
    throw advice === undefined ? error : new FileError(error.code, `${error.message}. ${advice}`, { cause: error })
  }
}

async function adviceFor(error: FileError, path: string, context: ToolUseContext): Promise<string | undefined> {
  if (error.code === 'not_regular') return (await kindOf(path, context)) === 'directory' ? 'LS lists it.' : undefined
  if (error.code !== 'not_found') return undefined
  const folder = dirname(path)
  const elsewhere = `Glob ${visibleName(basename(path))} finds files of that name at every depth.`
  if ((await kindOf(folder, context)) === undefined) return `Its folder does not exist either. ${elsewhere}`
  const close = nearest(basename(path), await readableNames(folder, context))
  return close === undefined ? elsewhere : `Did you mean ${visibleName(join(folder, close))}?`
}

async function kindOf(path: string, { files }: ToolUseContext): Promise<FileStat['kind'] | undefined> {
  // For the model, what the guard hides does not exist.
  return (await files.stat(path).catch(() => undefined))?.kind
}

/** Names in a folder, without those of files that the rules hide. */
async function readableNames(folder: string, context: ToolUseContext): Promise<readonly string[]> {
  const entries = await context.files.list(folder).catch(() => [])
  return entries.map(({ name }) => name).filter((name) => context.mayRead(join(folder, name)))
}
