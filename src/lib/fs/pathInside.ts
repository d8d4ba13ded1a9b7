import { isAbsolute, join, normalize, relative, sep } from 'node:path'

/**
 * `path` relative to `folder`, made absolute; undefined if it leaves the folder or is the folder itself. Compares text
 * only.
 */
export function pathInside(folder: string, path: string): string | undefined {
  if (path.includes('\0')) return undefined
  const whole = isAbsolute(path) ? normalize(path) : join(folder, path)
  const inside = relative(folder, whole)
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? undefined : join(folder, inside)
}
