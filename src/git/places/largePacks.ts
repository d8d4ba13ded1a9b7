import { statSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../lib/fs/folders.ts'

/** Copying a smaller pack takes a few hundredths of a second. */
const HEAVY = 64 * 1024 * 1024

/**
 * The large packs of a repository with their indexes, which must be removed together. Git updates the times of a pack
 * whose objects it would write again. In a view, that copies the whole pack. A read-only pack is left alone, and git
 * writes the object again; gitrepository-layout(5).
 */
export function largePacks(root: string): string[] {
  return [join(root, '.git'), root].flatMap((git) => {
    const folder = join(git, 'objects/pack')
    const packs = namesIn(folder).filter((name) => name.endsWith('.pack') && sizeOf(join(folder, name)) >= HEAVY)
    return packs.flatMap((name) => [name, name.replace(/pack$/, 'idx')].map((each) => join(folder, each)))
  })
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
