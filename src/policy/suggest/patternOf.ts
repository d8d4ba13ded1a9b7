import { escapeGlob } from '../matchers/globs.ts'

/** The pattern of a rule for one path, or for a folder with `/**`: from the root of the project, or of the machine. */
export function patternOf(path: string): string {
  if (path === '') return './**'
  const [, folder, tail] = /^(.*?)(\/\*\*)?$/s.exec(path) ?? []
  const pattern = `${escapeGlob(folder ?? path)}${tail ?? ''}`
  if (pattern.startsWith('/')) return `/${pattern}`
  return pattern.includes('/') ? pattern : `./${pattern}`
}
