import { basename, dirname } from 'node:path'
import * as z from 'zod'
import { isEscapedName, LOST } from '../../lib/fs/diskPath.ts'
import { type ToolUseContext, unlessRefused } from '../../Tool.ts'
import { openScope } from './openScope.ts'
import { type FileHits, type HitLine, hitLine, type SearchQuery } from './SearchQuery.ts'
import { withByteNames } from './withByteNames.ts'

const TIMEOUT_MS = 30_000
const FILES_PER_RUN = 50

/** Ripgrep exists, but did not start: another engine has to search. */
export class RipgrepUnavailable extends Error {
  override readonly name = 'RipgrepUnavailable'
}

/**
 * Searches with ripgrep in two steps: first only the names of matching files, which are checked one by one, then the
 * lines of those that may be read. So content that the rules forbid never leaves ripgrep.
 */
export async function searchWithRipgrep(
  ripgrep: string,
  query: SearchQuery,
  context: ToolUseContext,
): Promise<readonly FileHits[]> {
  const named = await findFiles(ripgrep, query, context)
  return query.mode === 'content' ? readLines(ripgrep, query, named, context) : named
}

async function findFiles(ripgrep: string, query: SearchQuery, context: ToolUseContext): Promise<readonly FileHits[]> {
  const found: FileHits[] = []
  const isCounting = query.mode === 'count'
  const scope = await openScope(query, context)
  const take = (name: string, count: number) => {
    const path = scope.toPath(name)
    if (!scope.isLeftOut(path) && context.mayRead(path)) found.push({ path, count, lines: [] })
    return found.length < query.enough
  }
  const format = isCounting ? ['--count', '--with-filename', '--null'] : ['--files-with-matches', '--null']
  let path: string | undefined
  const args = [...format, ...scopeArguments(query), ...scope.args, ...patternArguments(query), '--', scope.base]
  await runRipgrep(ripgrep, args, {
    cwd: scope.cwd,
    context,
    // A count is between the path's NUL and a line end; a path may contain line ends itself.
    separator: () => (path === undefined ? '\0' : '\n'),
    onRecord(record) {
      if (!isCounting) return take(record, 0)
      if (path === undefined) {
        path = record
        return true
      }
      const counted = path
      path = undefined
      return take(counted, Number(record))
    },
  })
  const permitted = await Promise.all(
    found.map(({ path }) => basename(path).includes(LOST) || isPermittedFile(path, context)),
  )
  return withByteNames(
    found.filter((_, index) => permitted[index]),
    context,
  )
}

async function readLines(
  ripgrep: string,
  query: SearchQuery,
  files: readonly FileHits[],
  context: ToolUseContext,
): Promise<readonly FileHits[]> {
  const hits = new Map<string, HitLine[]>()
  let total = 0
  for (let start = 0; start < files.length && total < query.enough; start += FILES_PER_RUN) {
    const paths = files.slice(start, start + FILES_PER_RUN).map((file) => file.path)
    for (const path of paths.filter((name) => isEscapedName(basename(name)))) hits.set(path, [UNREADABLE])
    const around = [`--before-context=${query.before}`, `--after-context=${query.after}`]
    await runRipgrep(ripgrep, ['--json', ...around, ...patternArguments(query), '--', ...paths], {
      cwd: query.isFile ? dirname(query.base) : query.base,
      context,
      separator: () => '\n',
      onRecord(record) {
        const event = parseEvent(record, query.isOnlyMatching)
        if (!event) return true
        const known = hits.get(event.path)
        if (known) known.push(...event.lines)
        else hits.set(event.path, [...event.lines])
        total += event.lines.length
        return total < query.enough
      },
    })
  }
  return files.flatMap(({ path }) => {
    const lines = hits.get(path)
    return lines ? [{ path, count: 0, lines }] : []
  })
}

/** Ripgrep finds a file with such a name in its folder, but no argument can name it. */
const UNREADABLE: HitLine = { text: '[it matches; its name is not UTF-8, so it cannot be opened here]', isMatch: true }

function patternArguments({ pattern, isCaseIgnored, isMultiline }: SearchQuery): readonly string[] {
  return [
    '--no-config',
    '--no-messages',
    '--sort=path',
    '--crlf',
    ...(isCaseIgnored ? ['--ignore-case'] : []),
    ...(isMultiline ? ['--multiline', '--multiline-dotall'] : []),
    `--regexp=${pattern}`,
  ]
}

function scopeArguments({ globs, type }: SearchQuery): readonly string[] {
  return [
    '--hidden',
    '--no-require-git',
    '--no-ignore-parent',
    '--no-ignore-global',
    '--no-ignore-dot',
    ...globs.map((glob) => `--glob=${glob}`),
    ...['.git', '.hg', '.svn', '.jj'].map((folder) => `--glob=!${folder}`),
    ...(type === undefined ? [] : [`--type=${type}`]),
  ]
}

type Run = {
  readonly cwd: string
  readonly context: ToolUseContext
  /** The separator of records. */
  separator(): string
  /** False: enough. */
  onRecord(record: string): boolean
}

/**
 * With a message, these come from a sandbox that does not see the program: 1 from bubblewrap, 126 and 127 from the shell of
 * a prepared one. Ripgrep's own 1 means "no match" and says nothing.
 */
const NOT_STARTED = [1, 126, 127]

/** Runs ripgrep and passes its output on record by record. Ends it when there is enough. */
async function runRipgrep(ripgrep: string, args: readonly string[], run: Run): Promise<void> {
  const { cwd, context } = run
  const done = new AbortController()
  let waiting = ''
  const onOutput = (text: string, stream: 'stdout' | 'stderr') => {
    if (stream === 'stderr' || done.signal.aborted) return
    waiting += text
    for (let end = waiting.indexOf(run.separator()); end !== -1; end = waiting.indexOf(run.separator())) {
      const record = waiting.slice(0, end)
      waiting = waiting.slice(end + 1)
      if (!run.onRecord(record)) return done.abort()
    }
    // The beginning is kept so that the record is known as too long when its end comes.
    if (waiting.length > 2 * MAX_RECORD_CHARS) waiting = waiting.slice(0, MAX_RECORD_CHARS + 1)
  }
  const result = await context.commands.run({
    file: ripgrep,
    args,
    cwd,
    timeoutMs: TIMEOUT_MS,
    isOwnReader: true,
    signal: AbortSignal.any([context.signal, done.signal]),
    onOutput,
  })
  context.signal.throwIfAborted()
  if (done.signal.aborted) return
  if (result.startError !== undefined) throw new RipgrepUnavailable(result.startError)
  if (result.isTimedOut) throw new Error(`the search took longer than ${TIMEOUT_MS / 1000} s; name a folder or a glob`)
  const problem = result.stderr.text.trim()
  if (NOT_STARTED.includes(result.exitCode ?? 0) && problem !== '') throw new RipgrepUnavailable(problem)
  if (result.exitCode !== 0 && result.exitCode !== 1 && problem !== '') throw new Error(explainProblem(problem))
}

/** True if the rules and the guard let the model read the file now. */
async function isPermittedFile(path: string, context: ToolUseContext): Promise<boolean> {
  return context.mayRead(path) && (await unlessRefused(context.files.stat(path)))?.kind === 'file'
}

/** Ripgrep's error with advice that fits this tool. Its own advice names flags that this tool does not have. */
function explainProblem(problem: string): string {
  const text = problem
    .replace(/^rg: /, '')
    .replace(/\s*Consider enabling [\s\S]*$/, '')
    .trim()
    .slice(0, 1000)
  const advice = ADVICE.find(([symptom]) => symptom.test(problem))?.[1]
  return advice === undefined ? text : `${text}\n${advice}`
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/"\\n" is not allowed|multiline mode/, 'Set multiline to match across lines.'],
  [/look-around|backreferences/, 'Write the pattern without it.'],
  [/regex parse error/, 'In a regular expression, ( ) [ ] { } . * + ? | ^ $ are literal only after a \\.'],
  [/unrecognized file type/, 'Leave type out and give a glob, like *.ext.'],
]

const text = z.union([
  z.object({ text: z.string() }).transform((value) => value.text),
  z.object({ bytes: z.string() }).transform((value) => Buffer.from(value.bytes, 'base64').toString('latin1')),
])
const eventSchema = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({
    path: text,
    lines: text,
    line_number: z.number(),
    submatches: z.array(z.object({ match: text })).default([]),
  }),
})

type LinesOfFile = { readonly path: string; readonly lines: readonly HitLine[] }

/** A longer message of ripgrep contains a huge line; only its beginning is read. */
const MAX_RECORD_CHARS = 1_000_000

/** The lines of one message of `rg --json`; undefined for the messages without lines. Source: grep_printer, JSON. */
function parseEvent(record: string, isOnlyMatching: boolean): LinesOfFile | undefined {
  if (record.length > MAX_RECORD_CHARS) return longLine(record)
  const parsed = eventSchema.safeParse(JSON.parse(record))
  if (!parsed.success) return undefined
  const { path, lines, line_number } = parsed.data.data
  const { submatches } = parsed.data.data
  const [first] = submatches
  const isMatch = parsed.data.type === 'match'
  if (isOnlyMatching && isMatch) {
    return { path, lines: submatches.map(({ match }) => hitLine(line_number, match.replace(/\n$/, ''), true)) }
  }
  const shown = lines.replace(/\n$/, '').split('\n')
  return { path, lines: shown.map((line, index) => hitLine(line_number + index, line, isMatch, first?.match)) }
}

/** Reports a match in a line that is too long to show. */
function longLine(record: string): LinesOfFile | undefined {
  const [, path] =
    /^\{"type":"match","data":\{"path":\{"text":("(?:[^"\\]|\\.)*")\}/.exec(record.slice(0, 20_000)) ?? []
  if (path === undefined) return undefined
  return {
    path: text.parse({ text: JSON.parse(path) }),
    lines: [{ text: '[a very long line matches]', isMatch: true }],
  }
}
