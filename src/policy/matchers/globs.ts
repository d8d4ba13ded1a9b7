import { isStarMatch } from '../../lib/text/matchesGlob.ts'
import { type GlobPattern, SEPARATOR } from './parseCommandPattern.ts'

export function isGlobMatch({ segments, hasOptionalTail }: GlobPattern, text: string): boolean {
  if (isStarMatch(segments, text)) return true
  return hasOptionalTail && isStarMatch(withTail(segments), text)
}

export function withTail(segments: readonly string[]): string[] {
  return [...segments.slice(0, -1), `${segments.at(-1) ?? ''}${SEPARATOR}`, '']
}

/** A pattern that matches exactly this path. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&')
}

/** The pattern of a rule for one path, or for a folder with `/**`: from the root of the project, or of the machine. */
export function patternOf(path: string): string {
  if (path === '') return './**'
  const [, folder, tail] = /^(.*?)(\/\*\*)?$/s.exec(path) ?? []
  const pattern = `${escapeGlob(folder ?? path)}${tail ?? ''}`
  if (pattern.startsWith('/')) return `/${pattern}`
  return pattern.includes('/') ? pattern : `./${pattern}`
}
