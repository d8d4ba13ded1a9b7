import { expandPattern } from './placeMatcher.ts'
import { PLACES } from './places.ts'

/** The write-protected places of the table with a literal name, except git's. A `/` at the end: a folder. */
export function protectedNames(): readonly string[] {
  const patterns = PLACES.flatMap((place) =>
    place.patterns.flatMap(expandPattern).map((pattern) => ({ place, pattern })),
  )
  const isParent = (name: string) =>
    patterns.some(({ pattern }) => pattern.startsWith(`${name}/`) && pattern !== `${name}/**`)
  return patterns
    .filter(({ place, pattern }) => place.kind === 'write-protected' && !pattern.startsWith('.git/'))
    .map(({ pattern }) => pattern.replace(/\/\*\*$/, '/'))
    .filter((name) => !name.includes('*') && (name.endsWith('/') || !isParent(name)))
}
