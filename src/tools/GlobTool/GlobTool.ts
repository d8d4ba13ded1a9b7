import { basename, dirname, join, relative } from 'node:path'
import { Minimatch } from 'minimatch'
import * as z from 'zod'
import { walkFiles } from '../../files/walkFiles.ts'
import { isEscapedName } from '../../lib/fs/diskPath.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import { groupBy } from '../../lib/groupBy.ts'
import { buildTool, FileError, invalid, pathSubject, SEARCHES, type ToolUseContext, unlessRefused } from '../../Tool.ts'

const MAX_RESULTS = 100
/** The most matches that can be sorted by time; a pattern with more is too broad. */
const MAX_MATCHES = 20_000
/** Names of what was left out, where nothing was found. */
const MAX_IGNORED = 5
const MAX_PATTERN_CHARS = 1000
const GLOB_OPTIONS = { dot: true, nonegate: true, nocomment: true, noext: true, braceExpandMax: 1000 }

/** Finds files by name, the newest first. */
export const GlobTool = buildTool({
  name: 'Glob',
  inputSchema: () =>
    z.strictObject({
      pattern: z
        .string()
        .min(1)
        .describe(
          'a glob such as src/**/*.ts; one without a slash, such as *.ts or package.json, matches at every depth',
        ),
      path: z.string().optional().describe('the folder to search; default: the project root'),
    }),
  outputSchema: () =>
    z.object({
      filenames: z.array(z.string()).readonly(),
      numFiles: z.number(),
      truncated: z.boolean(),
      /** Where nothing was found: what was left out, and is or may hold a match. */
      ignored: z.array(z.string()).readonly(),
      /** Where nothing was found: the pattern is the name of a folder. */
      isFolder: z.boolean(),
    }),
  description: () => 'Finds files by glob pattern, newest first, at most 100. Leaves out what .gitignore names.',
  ...SEARCHES,
  activity: ({ pattern }) => `Looking for ${pattern}`,
  getPath: ({ path }) => path,
  subjects: ({ pattern, path }, context) => pathSubject(splitPattern(pattern, path).folder, 'read', context),
  validateInput: ({ pattern, path }) => {
    if (pattern.length > MAX_PATTERN_CHARS) return invalid('pattern is too long', 1)
    const { rest } = splitPattern(pattern, path)
    return rest.split('/').includes('..')
      ? invalid('pattern has .. after its start; name the folder in path', 2)
      : { result: true }
  },
  async *call({ pattern, path }, context) {
    const { folder, rest } = splitPattern(pattern, path)
    const { matches, ignored } = await findMatches(context.resolvePath(folder).resolved, rest, context)
    const newestFirst = matches.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
    const filenames = newestFirst.slice(0, MAX_RESULTS).map((match) => displayPath(match.path, context.cwd))
    const [numFiles, truncated] = [matches.length, matches.length > MAX_RESULTS]
    const isNothing = numFiles === 0
    const isFolder = isNothing && (await kindOf(join(folder, rest.replace(/^\*\*\//, '')), context)) === 'directory'
    yield { type: 'result', data: { filenames, numFiles, truncated, ignored: isNothing ? ignored : [], isFolder } }
  },
  mapResult: ({ filenames, numFiles, truncated, ignored, isFolder }) => {
    if (isFolder) return { content: 'No files found. That is a folder: add /** to find the files in it.' }
    if (ignored.length > 0) return { content: `No files found. Left out by .gitignore: ${ignored.join(', ')}` }
    if (numFiles === 0) return { content: 'No files found' }
    const note = truncated ? `\n(${numFiles} files match; the newest ${filenames.length} are shown)` : ''
    return { content: filenames.join('\n') + note }
  },
})

async function findMatches(base: string, rest: string, context: ToolUseContext) {
  const globs = readings(rest).map((pattern) => new Minimatch(pattern, GLOB_OPTIONS))
  const { files, workingDirectories, signal } = context
  const fits = (path: string, isFolder: boolean) => globs.some((glob) => glob.match(relative(base, path), isFolder))
  const isPruned = (folder: string) => !fits(folder, true)
  const paths: string[] = []
  const ignored: string[] = []
  const onIgnored = (path: string, isFolder: boolean) => {
    if (ignored.length === MAX_IGNORED || !fits(path, isFolder) || !context.mayRead(path)) return
    ignored.push(displayPath(path, context.cwd))
  }
  for await (const path of walkFiles({ files, base, workingDirectories, signal, isPruned, onIgnored })) {
    if (!fits(path, false) || !context.mayRead(path)) continue
    if (paths.length === MAX_MATCHES)
      throw new FileError('too_large', `over ${MAX_MATCHES} files match; narrow it down`)
    paths.push(path)
  }
  return { matches: await withTimes(paths, context), ignored }
}

/** Leaves out what is gone or forbidden since its folder was listed. A name that is not UTF-8 has no time. */
async function withTimes(paths: readonly string[], { files, signal }: ToolUseContext) {
  const matches: { path: string; mtimeMs: number }[] = []
  for (const [folder, inFolder] of groupBy(paths, dirname)) {
    signal.throwIfAborted()
    const names = inFolder.map((path) => basename(path))
    const stats = await files.statIn(folder, names)
    for (const name of names) {
      const mtimeMs = stats.get(name)?.mtimeMs ?? (isEscapedName(name) ? 0 : undefined)
      if (mtimeMs !== undefined) matches.push({ path: join(folder, name), mtimeMs })
    }
  }
  return matches
}

/** Brackets are a character class, or part of a folder name as in `app/[id]/page.tsx`: both are tried. */
function readings(pattern: string): readonly string[] {
  const literal = pattern.replace(/(?<!\\)[[\]]/g, '\\$&')
  return literal === pattern ? [pattern] : [pattern, literal]
}

async function kindOf(name: string, context: ToolUseContext) {
  const path = context.resolvePath(name).resolved
  return context.mayRead(path) ? (await unlessRefused(context.files.stat(path)))?.kind : undefined
}

/** The folder where a glob starts, and the rest of the pattern, which does not start with a literal folder. */
type SplitPattern = { readonly folder: string; readonly rest: string }

/**
 * Moves the literal folders of a glob into its base, so that they can be judged as a path. A pattern without a slash is
 * a name, matched at every depth. Pure.
 */
export function splitPattern(pattern: string, path = '.'): SplitPattern {
  if (!pattern.includes('/') && pattern !== '..') return { folder: join(path), rest: `**/${pattern}` }
  const isRooted = pattern.startsWith('/')
  const segments = pattern.split('/').filter((segment) => segment !== '' && segment !== '.')
  const firstGlob = segments.findIndex((segment) => /[*?[\]{}()!+@\\]/.test(segment))
  const literal = segments.slice(0, firstGlob === -1 ? -1 : firstGlob)
  const rest = segments.slice(literal.length).join('/')
  const folder = literal.join('/')
  if (isRooted) return { folder: `/${folder}`, rest }
  return { folder: literal[0] === '~' ? folder : join(path, folder), rest }
}
