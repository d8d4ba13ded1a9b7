import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessIdentity } from '../contracts/events.ts'
import { lifeOf, ownIdentity } from './processIdentity.ts'

const OWNER = '.owner'

/** Makes a folder that only this user can enter, which says whose it is. Absolute and resolved. */
export function ownedFolder(parent: string, prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(parent, prefix)))
  writeFileSync(join(folder, OWNER), JSON.stringify(ownIdentity()), { mode: 0o600 })
  return folder
}

/** The folders of this name whose owners were killed. */
export function abandonedFolders(parent: string, prefix: string): string[] {
  return namesIn(parent)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(parent, name))
    .filter(isAbandoned)
}

function isAbandoned(folder: string): boolean {
  try {
    const stat = lstatSync(folder)
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false
    return lifeOf(JSON.parse(readFileSync(join(folder, OWNER), 'utf8')) as ProcessIdentity) === 'dead'
  } catch {
    // Another's, or one that is being made or removed just now.
    return false
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
