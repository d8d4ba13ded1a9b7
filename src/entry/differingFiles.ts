import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MOST = 50
const LARGEST = 1_000_000

/** Files at or below `names` that differ between two folders; at most fifty, sorted. Follows no link. */
export function differingFiles(left: string, right: string, names: readonly string[]): string[] {
  const paths = names.flatMap((name) => [...filesAt(left, name), ...filesAt(right, name)])
  const differing = [...new Set(paths)].filter((path) => !isSame(join(left, path), join(right, path)))
  return differing.sort().slice(0, MOST)
}

function filesAt(root: string, name: string): string[] {
  const stat = lstatSync(join(root, name), { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (!stat.isDirectory()) return [name]
  return readdirSync(join(root, name)).flatMap((entry) => filesAt(root, join(name, entry)))
}

/** A file that is not regular or too large counts as different. */
function isSame(left: string, right: string): boolean {
  const [one, other] = [left, right].map((path) => lstatSync(path, { throwIfNoEntry: false }))
  if (!one?.isFile() || !other?.isFile() || one.size !== other.size || one.size > LARGEST) return false
  return readFileSync(left).equals(readFileSync(right))
}
