import { basename, extname, relative } from 'node:path'
import { Minimatch } from 'minimatch'
import { readTextFile } from '../../files/readTextFile.ts'
import { walkFiles } from '../../files/walkFiles.ts'
import { type ToolUseContext, unlessRefused } from '../../Tool.ts'
import { createLineMatcher, type LineRange } from './createLineMatcher.ts'
import { type FileHits, type HitLine, hitLine, type SearchQuery } from './SearchQuery.ts'

const TIMEOUT_MS = 30_000
const GLOB_OPTIONS = { dot: true, nonegate: true, nocomment: true, noext: true, matchBase: true, braceExpandMax: 1000 }

/** Reads files through the guard, and runs JavaScript expressions in a worker thread that can be ended. */
export async function searchInWorker(query: SearchQuery, context: ToolUseContext): Promise<readonly FileHits[]> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = AbortSignal.any([context.signal, timeout])
  const isWanted = createNameFilter(query)
  const matcher = createLineMatcher(query, signal)
  const hits: FileHits[] = []
  let found = 0
  try {
    for await (const path of filesOf(query, context, signal)) {
      if (!isWanted(relative(query.base, path)) || !context.mayRead(path)) continue
      const text = await readOrSkip(path, context)
      if (text === undefined) continue
      const ranges = await matcher.match(text)
      if (ranges.length === 0) continue
      const lines = query.mode === 'content' ? linesAround(text, ranges, query) : []
      hits.push({ path, count: new Set(ranges.map(([first]) => first)).size, lines })
      found += query.mode === 'content' ? lines.length : 1
      if (found >= query.enough) break
    }
  } catch (error) {
    if (timeout.aborted) throw new Error(`the search took longer than ${TIMEOUT_MS / 1000} s`, { cause: error })
    throw error
  } finally {
    await matcher.close()
  }
  return hits.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function* filesOf({ base, isFile }: SearchQuery, context: ToolUseContext, signal: AbortSignal) {
  if (isFile) yield base
  else yield* walkFiles({ files: context.files, base, workingDirectories: context.workingDirectories, signal })
}

/** A filter like ripgrep's `--glob` and `--type`, which do not apply to a single named file. */
function createNameFilter({ globs, type, isFile }: SearchQuery): (path: string) => boolean {
  if (isFile) return () => true
  const toGlob = (pattern: string) => new Minimatch(pattern.replace(/^\//, ''), GLOB_OPTIONS)
  const wanted = globs.filter((glob) => !glob.startsWith('!')).map(toGlob)
  const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => toGlob(glob.slice(1)))
  const extensions = type === undefined ? undefined : fileTypes[type]
  if (type !== undefined && !extensions) {
    throw new Error(`unrecognized file type: ${type}; known types: ${Object.keys(fileTypes).join(', ')}`)
  }
  return (path) =>
    (wanted.length === 0 || wanted.some((glob) => glob.match(path))) &&
    !unwanted.some((glob) => glob.match(path)) &&
    (!extensions || extensions.includes(extname(path)) || extensions.includes(basename(path)))
}

/** Skips binary and very large files, and those that the guard refuses. */
async function readOrSkip(path: string, { files }: ToolUseContext): Promise<string | undefined> {
  return (await unlessRefused(readTextFile(files, path)))?.text
}

function linesAround(text: string, ranges: readonly LineRange[], query: SearchQuery): readonly HitLine[] {
  if (query.isOnlyMatching) {
    return ranges.flatMap(([first, , texts = []]) => texts.map((part) => hitLine(first + 1, part, true)))
  }
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const kinds = new Map<number, boolean>()
  for (const [first, last] of ranges) {
    const end = Math.min(last + query.after, lines.length - 1)
    for (let index = Math.max(0, first - query.before); index <= end; index += 1) {
      kinds.set(index, kinds.get(index) === true || (index >= first && index <= last))
    }
  }
  const matched = new Map(ranges.map(([first, , texts = []]) => [first, texts[0]]))
  return [...kinds]
    .sort(([a], [b]) => a - b)
    .map(([index, isMatch]) => hitLine(index + 1, lines[index] ?? '', isMatch, matched.get(index)))
}

/** Extensions, or whole names, of the `type`s that the search without ripgrep knows; names as in `rg --type-list`. */
const fileTypes: Readonly<Record<string, readonly string[]>> = {
  c: ['.c', '.h'],
  cpp: ['.cpp', '.cc', '.cxx', '.hpp', '.hh', '.h'],
  cs: ['.cs'],
  css: ['.css', '.scss'],
  docker: ['Dockerfile', '.dockerfile'],
  go: ['.go'],
  html: ['.html', '.htm'],
  java: ['.java', '.jsp'],
  js: ['.js', '.jsx', '.mjs', '.cjs', '.vue'],
  json: ['.json'],
  kotlin: ['.kt', '.kts'],
  make: ['Makefile', 'makefile', 'GNUmakefile', '.mk'],
  markdown: ['.md', '.markdown', '.mdx'],
  md: ['.md', '.markdown', '.mdx'],
  php: ['.php'],
  py: ['.py', '.pyi'],
  python: ['.py', '.pyi'],
  ruby: ['.rb', 'Gemfile', 'Rakefile', '.gemspec'],
  rust: ['.rs'],
  sh: ['.sh', '.bash', '.zsh'],
  sql: ['.sql'],
  swift: ['.swift'],
  toml: ['.toml'],
  ts: ['.ts', '.tsx', '.mts', '.cts'],
  txt: ['.txt'],
  xml: ['.xml', '.xsd', '.xslt'],
  yaml: ['.yaml', '.yml'],
}
