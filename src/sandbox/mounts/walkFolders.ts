import { type Dirent, readdirSync } from 'node:fs'

/** A folder and its entries. */
export type WalkedFolder = { readonly path: string; readonly entries: readonly Dirent[] }

/**
 * A folder and those below it, each before its content, except git's own folders and package folders. `skip` is called
 * once for every folder before it is entered.
 */
export function* walkFolders(top: string, skip: (path: string) => boolean): Generator<WalkedFolder, void, undefined> {
  const waiting = [top]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = entriesOf(path)
    yield { path, entries }
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name === '.git' || entry.name === 'node_modules') continue
      const folder = `${path}/${entry.name}`
      if (!skip(folder)) waiting.push(folder)
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
