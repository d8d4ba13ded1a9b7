import { Minimatch } from 'minimatch'
import type { PathForms } from '../../contracts/subject.ts'
import { caseFold } from './caseFold.ts'
import type { PathPattern } from './parsePathPattern.ts'

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
  const { itself, inside, folder } = compiled(pattern, false)
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
  const { itself, inside } = compiled(pattern, isFolded)
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
const plainCache = new WeakMap<PathPattern, Compiled>()
const foldedCache = new WeakMap<PathPattern, Compiled>()

function compiled(pattern: PathPattern, isFolded: boolean): Compiled {
  const cache = isFolded ? foldedCache : plainCache
  const known = cache.get(pattern)
  if (known) return known
  const glob = isFolded ? caseFold(pattern.glob) : pattern.glob
  const made = {
    itself: toMinimatch(glob),
    inside: toMinimatch(glob === '**' || glob.endsWith('/**') ? glob : `${glob}/**`),
    folder: glob.endsWith('/**') ? toMinimatch(glob.slice(0, -3)) : undefined,
  }
  cache.set(pattern, made)
  return made
}

function toMinimatch(glob: string): Minimatch {
  return new Minimatch(glob, { dot: true, nonegate: true, nocomment: true, noext: true, platform: 'linux' })
}
