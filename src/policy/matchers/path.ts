import { Minimatch } from 'minimatch'
import type { PathForms, PathSubject } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/isWithin.ts'
import { foldText } from '../foldText.ts'
import { mayNamesMeet } from './mayMeet.ts'
import type { PathPattern } from './parsePathPattern.ts'

/** The forms of a path that every rule looks at: as written, links followed, and as the kernel walks it. */
export function formsOf({ lexical, resolved, physical }: PathForms): readonly string[] {
  if (resolved === lexical && physical === lexical) return [lexical]
  return [...new Set([lexical, resolved, physical])]
}

/** The same for a word with wildcards: its pattern below each form of the folder that it starts in, and behind links. */
export function globsOf({ path, glob, links = [] }: PathSubject): readonly string[] {
  if (glob === undefined) return []
  if (!glob.startsWith(`${path.lexical}/`)) return [glob, ...links]
  const rest = glob.slice(path.lexical.length)
  return [...formsOf(path).map((form) => `${form === '/' ? '' : form}${rest}`), ...links]
}

/** The places that are named without a wildcard: the forms of the path, and what of each link's place is literal. */
export function placesOf({ path, links = [] }: PathSubject): readonly string[] {
  return [
    ...formsOf(path),
    ...links.map((link) => (/[*?[]/.test(link) ? (/^[^*?[]*(?=\/)/.exec(link)?.[0] ?? '') : link)),
  ]
}

/** Whether a pattern that is not literal may fit what lies below the path, so that a look at the disk is needed. */
export function mayHold({ base, glob }: PathPattern, subject: PathSubject): boolean {
  if (glob === '' || subject.isTree !== true) return false
  return subject.glob !== undefined || formsOf(subject.path).some((form) => isWithin(foldText(form), foldText(base)))
}

/** Whether a place lies at or below the path, or below any path that fits its glob; for what is moved or removed whole. */
export function isHeld(subject: PathSubject, place: string): boolean {
  const text = foldText(place)
  if (subject.glob === undefined) return formsOf(subject.path).some((form) => isWithin(text, foldText(form)))
  const parts = text.split('/')
  return globsOf(subject).some((glob) => {
    const words = foldText(glob).split('/')
    return words.length <= parts.length && words.every((word, index) => mayNamesMeet(word, parts[index] ?? ''))
  })
}

/** An allow rule's test: the path itself, letter by letter; what lies below only for `folder/` and `folder/**`. */
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

/** A deny or ask rule's test: the path or any folder above it, without regard to case and composition. */
export function isPathDenied(pattern: PathPattern, path: string): boolean {
  return isAtOrBelow(pattern, path, false) || isAtOrBelow(pattern, foldText(path), true)
}

/** The same for one of all the paths in a tree: what is above it was asked about before. */
export function isItselfDenied(pattern: PathPattern, path: string): boolean {
  if (pattern.glob === '') return false
  const isItself = (text: string, isFolded: boolean): boolean => {
    const { itself, name } = compiled(pattern, isFolded)
    if (name?.match(text.slice(text.lastIndexOf('/') + 1)) === false) return false
    const below = relativeTo(isFolded ? foldText(pattern.base) : pattern.base, text)
    return below !== undefined && itself.match(below)
  }
  const folded = foldText(path)
  return isItself(folded, true) || (folded !== path && isItself(path, false))
}

function isAtOrBelow(pattern: PathPattern, path: string, isFolded: boolean): boolean {
  const below = relativeTo(isFolded ? foldText(pattern.base) : pattern.base, path)
  if (below === undefined) return false
  if (pattern.glob === '') return true
  const { itself, inside } = compiled(pattern, isFolded)
  return itself.match(below) || inside.match(below)
}

/** The path as seen from the folder; empty for the folder itself, undefined outside it. */
function relativeTo(base: string, path: string): string | undefined {
  if (base === '/') return path.slice(1)
  if (!path.startsWith(base)) return undefined
  if (path.length === base.length) return ''
  return path[base.length] === '/' ? path.slice(base.length + 1) : undefined
}

type Compiled = {
  readonly itself: Minimatch
  readonly inside: Minimatch
  /** `dir/**` also covers looking into `dir`. */
  readonly folder: Minimatch | undefined
  /** The last name alone, where it stands by itself: what does not fit it does not fit the whole. */
  readonly name: Minimatch | undefined
}
const plainCache = new WeakMap<PathPattern, Compiled>()
const foldedCache = new WeakMap<PathPattern, Compiled>()

function compiled(pattern: PathPattern, isFolded: boolean): Compiled {
  const cache = isFolded ? foldedCache : plainCache
  const known = cache.get(pattern)
  if (known) return known
  const glob = isFolded ? foldText(pattern.glob) : pattern.glob
  const name = glob.slice(glob.lastIndexOf('/') + 1)
  const made = {
    itself: toMinimatch(glob),
    inside: toMinimatch(glob === '**' || glob.endsWith('/**') ? glob : `${glob}/**`),
    folder: glob.endsWith('/**') ? toMinimatch(glob.slice(0, -3)) : undefined,
    name: glob.includes('{') || name === '**' ? undefined : toMinimatch(name),
  }
  cache.set(pattern, made)
  return made
}

function toMinimatch(glob: string): Minimatch {
  return new Minimatch(glob, { dot: true, nonegate: true, nocomment: true, noext: true, platform: 'linux' })
}
