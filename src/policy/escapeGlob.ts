/** A path as a pattern that matches it alone. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&')
}
