import * as z from 'zod'
import { displayPath } from '../../lib/fs/paths.ts'
import { counted } from '../../lib/text/words.ts'
import { semanticBoolean, semanticNumber } from '../../Tool/semanticValues.ts'
import { buildTool, FileError, pathSubject, SEARCHES, type ToolUseContext } from '../../Tool.ts'
import { findRipgrep } from './findRipgrep.ts'
import type { FileHits, HitLine, SearchQuery } from './SearchQuery.ts'
import { searchInWorker } from './searchInWorker.ts'
import { RipgrepUnavailable, searchWithRipgrep } from './searchWithRipgrep.ts'

const DEFAULT_LIMIT = 250
const MAX_LIMIT = 20_000

const count = () => semanticNumber(z.number().nonnegative()).optional()
const flag = () => semanticBoolean(z.boolean()).optional()
const inputSchema = () =>
  z.strictObject({
    pattern: z.string().min(1).max(10_000).describe('a regular expression of ripgrep'),
    path: z.string().optional().describe('file or folder; default: the project root'),
    glob: z.string().max(1000).optional().describe('only files that fit, such as *.{ts,tsx}'),
    type: z.string().optional().describe('only files of this type, such as js or py'),
    output_mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('default: files_with_matches'),
    '-A': count().describe('lines after each match, in content; default: 0'),
    '-B': count().describe('lines before each match, in content; default: 0'),
    '-C': count().describe('lines around each match'),
    context: count().describe('the same as -C'),
    '-n': flag().describe('line numbers in content; default: true'),
    '-i': flag().describe('ignore case; default: false'),
    '-o': flag().describe('only the matching parts of lines, in content; default: false'),
    multiline: flag().describe('a match may span lines, and . matches line ends; default: false'),
    head_limit: count().describe('lines or files at most; default: 250; 0: all'),
    offset: count().describe('lines or files to skip first; default: 0'),
  })

type GrepInput = z.infer<ReturnType<typeof inputSchema>>

/** Searches file contents; every file in the result is one that the rules let the model read. */
export const GrepTool = buildTool({
  name: 'Grep',
  inputSchema,
  outputSchema: () =>
    z.object({
      mode: z.enum(['content', 'files_with_matches', 'count']),
      /** The dialects of regular expressions differ. */
      engine: z.enum(['ripgrep', 'javascript']),
      filenames: z.array(z.string()).readonly(),
      numFiles: z.number(),
      content: z.string(),
      truncated: z.boolean(),
      /** The offset to continue from. */
      next: z.number(),
      /** For a count: the total, in words. */
      total: z.string().exactOptional(),
    }),
  description: () => 'Searches file contents by regular expression with ripgrep. Leaves out what .gitignore names.',
  ...SEARCHES,
  activity: ({ pattern, path }) => `Searching ${path || 'the project'} for ${pattern}`,
  getPath: ({ path }) => path,
  subjects: ({ path }, context) => pathSubject(path || '.', 'read', context),
  async *call(input, context) {
    const query = await toQuery(input, context)
    const { engine, hits } = await search(query, context)
    const filenames = hits.map((file) => displayPath(file.path, context.cwd))
    const all = hits.flatMap((file, index) => formatFile(file, filenames[index] ?? '', query, index > 0))
    const start = input.offset ?? 0
    const next = start + limitOf(input)
    const isCut = all.length > next
    yield {
      type: 'result',
      data: {
        mode: query.mode,
        engine,
        filenames,
        numFiles: hits.length,
        content: all.slice(start, next).join('\n'),
        truncated: isCut,
        next,
        ...(query.mode === 'count' && hits.length > 0 ? { total: totalOf(hits.slice(0, next), isCut) } : {}),
      },
    }
  },
  mapResult: ({ mode, content, engine, truncated, numFiles, next, total }) => {
    const isOfFiles = mode === 'files_with_matches'
    const nothing = numFiles > 0 ? 'No more matches.' : isOfFiles ? 'No files found' : 'No matches found'
    const notes = [
      ...(isOfFiles && content !== '' && !truncated ? [`Found ${counted(numFiles, 'file')}`] : []),
      content === '' ? nothing : content,
      ...(total === undefined ? [] : [total]),
      ...(truncated ? [`(cut at head_limit; continue with offset=${next})`] : []),
      ...(engine === 'javascript' ? ['(searched without ripgrep: JavaScript regular expressions)'] : []),
    ]
    return { content: notes.join('\n') }
  },
})

async function search(query: SearchQuery, context: ToolUseContext) {
  const ripgrep = await findRipgrep(context.workingDirectories)
  try {
    if (ripgrep) return { engine: 'ripgrep', hits: await searchWithRipgrep(ripgrep, query, context) } as const
  } catch (error) {
    if (!(error instanceof RipgrepUnavailable)) throw error
  }
  return { engine: 'javascript', hits: await searchInWorker(query, context) } as const
}

function totalOf(hits: readonly FileHits[], isCut: boolean): string {
  const lines = hits.reduce((sum, { count }) => sum + count, 0)
  return `${isCut ? 'So far ' : ''}${counted(lines, 'matching line')} in ${counted(hits.length, 'file')}`
}

function limitOf({ head_limit = DEFAULT_LIMIT }: GrepInput): number {
  return head_limit === 0 ? MAX_LIMIT : Math.min(Math.ceil(head_limit), MAX_LIMIT)
}

async function toQuery(input: GrepInput, context: ToolUseContext): Promise<SearchQuery> {
  const base = context.resolvePath(input.path || '.').resolved
  const stat = await context.files.stat(base)
  if (!stat) throw new FileError('not_found', `${base} does not exist`)
  if (stat.kind !== 'file' && stat.kind !== 'directory') {
    throw new FileError('not_regular', `${base} is neither a file nor a folder`)
  }
  const around = input['-C'] ?? input.context ?? 0
  return {
    pattern: input.pattern,
    hasNumbers: input['-n'] ?? true,
    base,
    isFile: stat.kind === 'file',
    // A comma in braces belongs to its glob.
    globs: (input.glob ?? '').split(/\s+|,(?![^{]*\})/).filter(Boolean),
    type: input.type,
    isCaseIgnored: input['-i'] ?? false,
    isMultiline: input.multiline ?? false,
    isOnlyMatching: input['-o'] ?? false,
    mode: input.output_mode ?? 'files_with_matches',
    before: input['-o'] === true ? 0 : Math.min(Math.floor(input['-B'] ?? around), 1000),
    after: input['-o'] === true ? 0 : Math.min(Math.floor(input['-A'] ?? around), 1000),
    enough: (input.offset ?? 0) + limitOf(input) + 1,
  }
}

/** The lines that grep would print for a file; with context, `--` separates groups, also from the file before. */
function formatFile(
  { count, lines }: FileHits,
  name: string,
  query: SearchQuery,
  isFollowing: boolean,
): readonly string[] {
  if (query.mode === 'files_with_matches') return [name]
  if (query.mode === 'count') return [`${name}:${count}`]
  return lines.flatMap((line, index) => {
    const before = lines[index - 1]
    const isGroup = before ? !isNext(before, line) : isFollowing
    return [...(isGroup && query.before + query.after > 0 ? ['--'] : []), formatLine(name, line, query.hasNumbers)]
  })
}

function isNext(before: HitLine, { number }: HitLine): boolean {
  return number !== undefined && before.number !== undefined && number <= before.number + 1
}

function formatLine(name: string, { number, text, isMatch }: HitLine, hasNumbers: boolean): string {
  const mark = isMatch ? ':' : '-'
  return `${name}${mark}${hasNumbers && number !== undefined ? `${number}${mark}` : ''}${text}`
}
