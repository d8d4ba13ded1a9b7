import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { namesIn } from '../../lib/fs/folders.ts'
import { expandPattern } from '../../lib/places/placeMatcher.ts'
import { PLACES } from '../../lib/places/places.ts'

/**
 * The secret places of the table that begin with `start` (`/etc/`, `~/`) and exist on this machine, with links
 * resolved. A pattern for any depth counts as one of the home folder.
 */
export function existingPlaces(start: '/etc/' | '~/', home = ''): readonly string[] {
  const secrets = PLACES.filter(({ kind }) => kind !== 'write-protected')
  const patterns = secrets.flatMap(({ patterns }) => patterns.flatMap(expandPattern)).map(withRoot)
  const paths = patterns.filter((pattern) => pattern.startsWith(start)).map((pattern) => pattern.replace(/^~/, home))
  const found = paths.map((path) => path.replace(/\/\*\*$/, '')).flatMap(pathsLike)
  return [...new Set(found.flatMap(targetOf))]
}

/** Empty for a link that leads nowhere. */
function targetOf(path: string): string[] {
  if (!lstatSync(path).isSymbolicLink()) return [path]
  return existsSync(path) ? [realpathSync(path)] : []
}

function withRoot(pattern: string): string {
  return /^[/~!]/.test(pattern) ? pattern : `~/${pattern}`
}

/** Only the last name has a star. The table is in lower case; names on disk need not be. */
function pathsLike(path: string): string[] {
  if (existsSync(path)) return [path]
  const name = basename(path)
  const folder = dirname(path)
  if (!name.includes('*')) return []
  const [before = '', after = ''] = name.split('*')
  // A folder that is missing or locked shows commands of this user nothing either.
  return namesIn(folder)
    .filter((entry) => entry.length >= name.length - 1 && entry.startsWith(before) && entry.endsWith(after))
    .map((entry) => `${folder}/${entry}`)
}
