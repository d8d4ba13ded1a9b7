import { join } from 'node:path'

/** Where a glob starts to look and what it looks for there; `rest` has no leading folder without glob characters. */
export type SplitPattern = { readonly folder: string; readonly rest: string }

/**
 * Moves the folders that a glob names literally into its base, so that they can be judged as a path. A pattern without a
 * slash is a name, looked for at every depth. Pure.
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
