import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEEPEST = 4
const MOST_FOLDERS = 1_000

/** A folder with what is in it. */
export type WalkedFolder = { readonly path: string; readonly entries: readonly Dirent[] }

/**
 * A folder and those below it, the nearest first. A large tree is not walked to its end, nor what packages bring, nor the
 * inside of git.
 */
export function* walkFolders(top: string): Generator<WalkedFolder, void, undefined> {
  let level = [top]
  let seen = 0
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const next: string[] = []
    for (const path of level) {
      if (++seen > MOST_FOLDERS) return
      const entries = entriesOf(path)
      yield { path, entries }
      const folders = entries.filter((entry) => entry.isDirectory() && !/^(?:\.git|node_modules)$/.test(entry.name))
      next.push(...folders.map(({ name }) => join(path, name)))
    }
    level = next
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
