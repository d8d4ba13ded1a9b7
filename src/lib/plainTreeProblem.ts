import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const MOST_FILES = 20_000
const MOST_BYTES = 200_000_000

/** Left out where no `.gitignore` can be expected: what package managers bring. */
export const PLAIN_IGNORED = ['node_modules', '.venv', '__pycache__'] as const

/** Why a folder outside of git is not kept for a comparison; undefined where it is small enough. */
export async function plainTreeProblem(folder: string): Promise<string | undefined> {
  const seen = { files: 0, bytes: 0 }
  const isSmall = await count(folder, seen)
  return isSmall ? undefined : 'not a git repository, and too large to be compared with its start: no patch can be made'
}

async function count(folder: string, seen: { files: number; bytes: number }): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  seen.files += entries.length
  if (seen.files > MOST_FILES) return false
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isFile()) seen.bytes += (await lstat(path).catch(() => undefined))?.size ?? 0
    if (seen.bytes > MOST_BYTES) return false
    const isWalked = entry.isDirectory() && entry.name !== '.git' && !PLAIN_IGNORED.some((name) => name === entry.name)
    if (isWalked && !(await count(path, seen))) return false
  }
  return true
}
