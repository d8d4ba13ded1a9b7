import path from 'node:path'
import { Minimatch } from 'minimatch'
import type { Behavior } from '../../contracts/decision.ts'
import type { PathForms } from '../../contracts/subject.ts'
import { memoizeFor } from '../../lib/memoize.ts'
import { expandBraces } from '../../lib/text/expandBraces.ts'
import { caseFold } from './caseFold.ts'

/** The forms of a path that every rule checks: as written, with links followed, and as the kernel walks it. */
export function formsOf({ lexical, resolved, physical }: PathForms): readonly string[] {
  if (resolved === lexical && physical === lexical) return [lexical]
  return [...new Set([lexical, resolved, physical])]
}

/** Whether an allow rule matches: the exact path. Paths below it only for `folder/` and `folder/**`. */
export function isPathCovered(pattern: PathPattern, path: string, access: 'read' | 'write'): boolean {
  const below = relativeTo(pattern.base, path)
  if (below === undefined) return false
  if (pattern.glob === '') return below === '' ? access === 'read' || !pattern.isFolder : pattern.isFolder
  if (below === '') return access === 'read' && pattern.glob === '**'
  if (pattern.glob === '**') return true
  const { itself, inside, folder } = compiled(pattern)
  if (access === 'read' && folder?.match(below)) return true
  return pattern.isFolder ? inside.match(below) || (access === 'read' && itself.match(below)) : itself.match(below)
}

/** Whether a deny or ask rule matches: the path or any folder above it, ignoring case and Unicode composition. */
export function isPathDenied(pattern: PathPattern, path: string): boolean {
  return isAtOrBelow(pattern, path, false) || isAtOrBelow(pattern, caseFold(path), true)
}

function isAtOrBelow(pattern: PathPattern, path: string, isFolded: boolean): boolean {
  const below = relativeTo(isFolded ? caseFold(pattern.base) : pattern.base, path)
  if (below === undefined) return false
  if (pattern.glob === '') return true
  const { itself, inside } = isFolded ? compiledFolded(pattern) : compiled(pattern)
  return itself.match(below) || inside.match(below)
}

/** The path relative to the folder; empty for the folder itself, undefined outside it. */
function relativeTo(base: string, path: string): string | undefined {
  if (base === '/') return path.slice(1)
  if (!path.startsWith(base)) return undefined
  if (path.length === base.length) return ''
  return path[base.length] === '/' ? path.slice(base.length + 1) : undefined
}

type Compiled = {
  readonly itself: Minimatch
  readonly inside: Minimatch
  /** `dir/**` also covers listing `dir`. */
  readonly folder: Minimatch | undefined
}

const compiled = memoizeFor(({ glob }: PathPattern) => compile(glob))
const compiledFolded = memoizeFor(({ glob }: PathPattern) => compile(caseFold(glob)))

function compile(glob: string): Compiled {
  return {
    itself: toMinimatch(glob),
    inside: toMinimatch(glob === '**' || glob.endsWith('/**') ? glob : `${glob}/**`),
    folder: glob.endsWith('/**') ? toMinimatch(glob.slice(0, -3)) : undefined,
  }
}

function toMinimatch(glob: string): Minimatch {
  return new Minimatch(glob, { dot: true, nonegate: true, nocomment: true, noext: true, platform: 'linux' })
}

/** A gitignore pattern, ready to match. */
export type PathPattern = {
  /** The absolute folder of the pattern's literal part. Nothing outside it matches. */
  readonly base: string
  /** The rest after the base, as a glob; empty if the pattern is fully literal. */
  readonly glob: string
  /** True for a pattern that ended in a slash: the folder and everything below it. */
  readonly isFolder: boolean
  /** The last part, if it is literal; a path without it cannot match. */
  readonly lastName: string | undefined
  /** The path up to the first glob character, in whole names. `.git*` means `.gitignore`, not `.git`. */
  readonly literal: string
}

/** The bases of patterns. All absolute, links resolved. */
export type PathAnchors = { readonly cwd: string; readonly home: string }

const MAX_LENGTH = 1_024
export const MAX_ALTERNATIVES = 256
const GLOB = /[*?[\]{}\\]/
/** Most patterns: a path, perhaps with stars at its end. */
const PLAIN = /^[\w./@-]+\*{0,2}$/
const NOT_FILLED_IN = 'variables are not expanded; `~/` is the home folder, `//` the root'

/** Why no path can match the pattern, in words for its author; undefined if one can. */
export function problemOfPathPattern(pattern: string): string | undefined {
  const text = pattern.trim()
  if (text.length > MAX_LENGTH) return `the pattern is longer than ${MAX_LENGTH} characters`
  if (PLAIN.test(text)) return undefined
  if (/^(['"]).*\1$/.test(text)) return 'the quotes would be part of the name; leave them out'
  if (/\$[{(]|^`/.test(text)) return NOT_FILLED_IN
  const alternatives = expandBraces(text, MAX_ALTERNATIVES + 1)
  if (alternatives.length === 0) return 'the braces are empty'
  if (alternatives.length > MAX_ALTERNATIVES) return `the braces stand for more than ${MAX_ALTERNATIVES} patterns`
  for (const alternative of alternatives) {
    const problem = problemOfAlternative(alternative)
    if (problem !== undefined) return alternatives.length === 1 ? problem : `${alternative}: ${problem}`
  }
  return undefined
}

function problemOfAlternative(text: string): string | undefined {
  if (text.startsWith('!')) return 'a pattern with `!` is not supported; put the path without it under `deny`'
  if (/^(?:file_path|notebook_path|path):/.test(text)) return 'write the path alone, without a parameter name'
  if (/^[A-Za-z]:[\\/]/.test(text)) return 'a Windows path matches nothing here'
  if (/^~[^/]/.test(text))
    return 'only `~/` is the home folder; another user’s is written from the root: `//home/name/…`'
  if (/^\$[A-Za-z_]|(?:^|\/)(?:\$[A-Z_][A-Z\d_]*|%[A-Za-z_]+%)(?:\/|$)/.test(text)) return NOT_FILLED_IN
  if (/(?:^|[^\\])(?:\\\\)*\\[\w.]/.test(text)) return 'a backslash only escapes a wildcard; separate folders with `/`'
  if (!text.includes('..')) return undefined
  const parts = text.split('/')
  const firstGlob = parts.findIndex((part) => literalOf(part) === undefined)
  if (firstGlob >= 0 && parts.slice(firstGlob).includes('..')) return '`..` after a wildcard matches nothing'
  return undefined
}

/**
 * The patterns of a `Read(…)` or `Edit(…)` rule, one for each brace expansion. In a deny or ask rule, `[id]` is a set
 * of characters and also a literal name, because folders have such names.
 */
export function parsePathPatterns(pattern: string, list: Behavior, anchors: PathAnchors): readonly PathPattern[] {
  const plain = pattern.trim()
  if (PLAIN.test(plain)) return [parsePathPattern(plain, list, anchors)]
  return expandBraces(plain, MAX_ALTERNATIVES)
    .flatMap((text) => (list === 'allow' ? [text] : [text, ...withoutSets(text)]))
    .map((text) => parsePathPattern(text, list, anchors))
}

function withoutSets(text: string): readonly string[] {
  if (!text.includes('[')) return []
  const plain = text.replace(/(\\.)|[[\]]/gs, (found, escaped: string | undefined) => escaped ?? `\\${found}`)
  return plain === text ? [] : [plain]
}

/**
 * One pattern without braces: `//abs`, `~/home`, `/from-the-project-root`, bare, or `./` from the working directory.
 * Without a slash, it matches at any depth. With a slash, an allow is anchored. So is a deny, unless its folder is a
 * single name. A deny that matches at any depth also applies outside the project.
 */
function parsePathPattern(text: string, list: Behavior, anchors: PathAnchors): PathPattern {
  const { start, rest, isAnchored } = splitAnchor(text, anchors)
  const parts = rest.split('/').filter((part) => part !== '' && part !== '.')
  const isFolder = rest.endsWith('/') || parts.length === 0
  const isFloating = !isAnchored && !isPinned(rest, parts, list)
  const { folder, tail } = isFloating ? { folder: start, tail: parts } : takeLiterals(start, parts)
  const named = nameOf(tail[0] ?? '')
  const whole = isFloating ? ['**', ...tail] : tail
  const isAnywhere = list !== 'allow' && (isFloating || (!isAnchored && parts[0] === '**')) && /[^*?/.]/.test(rest)
  const glob = list === 'allow' ? whole : withoutTail(whole)
  const last = glob.at(-1)
  return {
    base: isAnywhere ? '/' : folder,
    glob: glob.join('/'),
    isFolder,
    lastName: last === undefined ? undefined : literalOf(last),
    literal: named === '' ? folder : within(folder, named),
  }
}

/** The certain part of a name: up to its first wildcard. */
function nameOf(part: string): string {
  const literal = literalOf(part)
  if (literal !== undefined) return literal
  const stem = part.split(GLOB)[0] ?? ''
  return caseFold(stem) === '.git' ? '' : stem
}

/** The name of a part, with escaped wildcards as plain characters; undefined if it has a wildcard. */
function literalOf(part: string): string | undefined {
  if (!GLOB.test(part)) return part
  return GLOB.test(part.replace(/\\./gs, '')) ? undefined : part.replace(/\\(.)/gs, '$1')
}

/** A deny covers everything below anyway, so `folder/**` becomes `folder`: listing it is denied too. */
function withoutTail(glob: readonly string[]): readonly string[] {
  return glob.slice(0, glob.findLastIndex((part) => part !== '**') + 1)
}

type Anchor = { readonly start: string; readonly rest: string; readonly isAnchored: boolean }

function splitAnchor(text: string, { cwd, home }: PathAnchors): Anchor {
  if (text.startsWith('//')) return { start: '/', rest: text.slice(2), isAnchored: true }
  if (text === '~' || text.startsWith('~/')) return { start: home, rest: text.slice(2), isAnchored: true }
  if (text.startsWith('/')) return { start: cwd, rest: text.slice(1), isAnchored: true }
  if (/^\.\.?(?:\/|$)/.test(text)) return { start: cwd, rest: text, isAnchored: true }
  return { start: cwd, rest: text, isAnchored: false }
}

/** Whether a bare pattern is anchored where it is written, instead of matching at any depth. */
function isPinned(rest: string, parts: readonly string[], list: Behavior): boolean {
  if (parts[0] === '**') return true
  if (list === 'allow') return rest.includes('/')
  return parts.length > 2 || (parts.length === 2 && literalOf(parts[0] ?? '') === undefined)
}

function takeLiterals(
  start: string,
  parts: readonly string[],
): { readonly folder: string; readonly tail: readonly string[] } {
  let folder = start
  for (const [index, part] of parts.entries()) {
    const literal = literalOf(part)
    if (literal === undefined) return { folder, tail: parts.slice(index) }
    folder = literal === '..' ? path.posix.dirname(folder) : within(folder, literal)
  }
  return { folder, tail: [] }
}

function within(folder: string, name: string): string {
  return folder === '/' ? `/${name}` : `${folder}/${name}`
}
