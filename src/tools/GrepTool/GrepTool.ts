import * as z from 'zod'
import { displayPath } from '../../lib/displayPath.ts'
import { semanticBoolean } from '../../lib/semanticBoolean.ts'
import { semanticNumber } from '../../lib/semanticNumber.ts'
import { buildTool, FileError, lazySchema, type ToolUseContext } from '../../Tool.ts'
import { createRipgrepEngine, withFallback } from './createRipgrepEngine.ts'
import { findRipgrep } from './findRipgrep.ts'
import { formatHits } from './formatHits.ts'
import type { SearchEngine, SearchQuery } from './SearchQuery.ts'
import { searchInWorker } from './searchInWorker.ts'

const DEFAULT_LIMIT = 250
const MAX_LIMIT = 20_000

const count = () => semanticNumber(z.number().nonnegative()).optional()
const flag = () => semanticBoolean(z.boolean()).optional()
const inputSchema = lazySchema(() =>
  z.strictObject({
    pattern: z.string().min(1).max(10_000).describe('regular expression'),
    path: z.string().optional(),
    glob: z.string().max(1000).optional().describe('like *.{ts,tsx}'),
    type: z.string().optional().describe('like js, py'),
    output_mode: z.enum(['content', 'files_with_matches', 'count']).optional(),
    '-A': count(),
    '-B': count(),
    '-C': count(),
    '-n': flag(),
    '-i': flag(),
    multiline: flag(),
    head_limit: count().describe('0: all'),
    offset: count(),
  }),
)

type GrepInput = z.infer<ReturnType<typeof inputSchema>>
type GrepOutput = {
  readonly mode: SearchQuery['mode']
  /** Their dialects of regular expressions differ. */
  readonly engine: 'ripgrep' | 'javascript'
  readonly filenames: readonly string[]
  readonly numFiles: number
  readonly content: string
  readonly truncated: boolean
}

/** Searches file contents; every file in the result is one that the rules let the model read. */
export const GrepTool = buildTool<GrepInput, GrepOutput>({
  name: 'Grep',
  aliases: ['GrepTool'],
  inputSchema,
  description: () =>
    'Searches file contents by regular expression (ripgrep). output_mode is files_with_matches if not given.',
  isSearchOrReadCommand: true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  activity: ({ pattern, path }) => `Searching ${path || 'the project'} for ${pattern}`,
  getPath: ({ path }) => path,
  subjects: ({ path }, context) => [
    { kind: 'path', access: 'read', path: context.resolvePath(path || '.'), source: 'tool' },
  ],
  async *call(input, context) {
    const query = await toQuery(input, context)
    const ripgrep = await findRipgrep(context.workingDirectories)
    let engine: 'javascript' | 'ripgrep' = ripgrep === undefined ? 'javascript' : 'ripgrep'
    const searchHere: SearchEngine = (...asked) => {
      engine = 'javascript'
      return searchInWorker(...asked)
    }
    const search = ripgrep === undefined ? searchHere : withFallback(createRipgrepEngine(ripgrep), searchHere)
    const hits = await search(query, context)
    const limit = limitOf(input)
    const { lines, isCut } = formatHits(hits, {
      mode: query.mode,
      hasNumbers: input['-n'] ?? true,
      hasContext: query.before + query.after > 0,
      show: (path) => displayPath(path, context.cwd),
      range: { start: input.offset ?? 0, limit },
    })
    yield {
      type: 'result',
      data: {
        mode: query.mode,
        engine,
        filenames: hits.map((file) => displayPath(file.path, context.cwd)),
        numFiles: hits.length,
        content: lines.join('\n'),
        truncated: isCut,
      },
    }
  },
  mapResult: ({ content, engine, truncated, numFiles }) => {
    const notes = [
      ...(content === '' ? [numFiles === 0 ? 'No matches found.' : 'No more matches.'] : [content]),
      ...(truncated ? ['(cut at head_limit; offset goes on)'] : []),
      ...(engine === 'javascript' ? ['(searched without ripgrep: JavaScript regular expressions)'] : []),
    ]
    return { content: notes.join('\n') }
  },
})

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
  const around = input['-C'] ?? 0
  return {
    pattern: input.pattern,
    base,
    isFile: stat.kind === 'file',
    globs: splitGlobs(input.glob ?? ''),
    type: input.type,
    isCaseIgnored: input['-i'] ?? false,
    isMultiline: input.multiline ?? false,
    mode: input.output_mode ?? 'files_with_matches',
    before: Math.min(Math.floor(input['-B'] ?? around), 1000),
    after: Math.min(Math.floor(input['-A'] ?? around), 1000),
    enough: (input.offset ?? 0) + limitOf(input) + 1,
  }
}

/** Several globs may stand side by side, with blanks or commas between them; a comma in braces belongs to its glob. */
function splitGlobs(text: string): readonly string[] {
  return text.split(/\s+|,(?![^{]*\})/).filter(Boolean)
}
