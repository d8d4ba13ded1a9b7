/** A pattern that matches exactly this path. */
export function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&')
}
