import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Copying less takes a few hundredths of a second. */
const HEAVY = 64 * 1024 * 1024

/**
 * The large packs of a repository, with their indexes, of which none is removed without the other. Git sets the times of a pack whose objects it would write again, and in a view that
 * copies the whole of it. Read-only it is left as it is, and git writes the object once more; gitrepository-layout(5).
 */
export function heavyPacks(root: string): string[] {
  return [join(root, '.git'), root].flatMap((git) => {
    const folder = join(git, 'objects/pack')
    const packs = namesIn(folder).filter((name) => name.endsWith('.pack') && sizeOf(join(folder, name)) >= HEAVY)
    return packs.flatMap((name) => [name, name.replace(/pack$/, 'idx')].map((each) => join(folder, each)))
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
