import { join } from 'node:path'

/** The folder where a glob starts, and the rest of the pattern, which does not start with a literal folder. */
export type SplitPattern = { readonly folder: string; readonly rest: string }

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
