import { basename, dirname, extname, isAbsolute, join, normalize, relative, sep } from 'node:path'
import { visibleName } from '../text/visibleName.ts'
import { isWithin } from './isWithin.ts'

/** A path for programs: relative if it is below the working directory, otherwise absolute. Pure. */
export function shortPath(path: string, cwd: string): string {
  if (!isWithin(path, cwd)) return path
  const below = path.slice(cwd.endsWith(sep) ? cwd.length : cwd.length + 1)
  return below === '' ? '.' : isPlain(path) && isPlain(cwd) ? below : relative(cwd, path)
}

/** True if no part is empty or starts with a dot: it needs no second look. */
function isPlain(path: string): boolean {
  return !/\/[./]/.test(path)
}

/** A path for people and the model: short, and on one line whatever is in its names. Pure. */
export function displayPath(path: string, cwd: string): string {
  return visibleName(shortPath(path, cwd))
}

/** `path` from `folder`, made absolute; undefined for the folder itself or what is outside. Compares text only. */
export function pathInside(folder: string, path: string): string | undefined {
  if (path.includes('\0')) return undefined
  const whole = isAbsolute(path) ? normalize(path) : join(folder, path)
  const inside = relative(folder, whole)
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? undefined : join(folder, inside)
}

/** All folders that one of these paths is in, however deep. */
export function foldersAbove(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const path of paths) for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at)
  return folders
}

const MAX_TRIES = 1000

/** An unused path in `folder` for a file of that name: `a.txt`, else `a-2.txt`, `a-3.txt` … */
export async function unusedPath(
  folder: string,
  name: string,
  isThere: (path: string) => Promise<boolean>,
): Promise<string> {
  const extension = extname(name)
  const stem = basename(name, extension)
  for (let count = 1; count < MAX_TRIES; count += 1) {
    const path = join(folder, count === 1 ? basename(name) : `${stem}-${count}${extension}`)
    if (!(await isThere(path))) return path
  }
  throw new Error(`There are too many files named ${name}.`)
}
