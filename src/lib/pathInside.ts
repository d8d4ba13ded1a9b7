import { isAbsolute, join, normalize, relative, sep } from 'node:path'

/** `path` below `folder`, absolute; undefined where it leads out of it, or is the folder itself. Looks at text alone. */
export function pathInside(folder: string, path: string): string | undefined {
  if (path.includes('\0')) return undefined
  const whole = isAbsolute(path) ? normalize(path) : join(folder, path)
  const inside = relative(folder, whole)
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? undefined : join(folder, inside)
}
