import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessIdentity } from '../../contracts/events.ts'
import { ownIdentity, processState } from '../process/processIdentity.ts'

/** The file that names a folder's owner. */
export const OWNER = '.owner'

/** A folder without an owner is being created or removed; after this time that is over. */
const NAMELESS_MS = 60_000

/** Creates a folder that only this user can enter and that names its owner. Absolute and resolved. */
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
    const owner = readOwner(folder)
    return owner === undefined ? Date.now() - stat.mtimeMs > NAMELESS_MS : processState(owner) === 'dead'
  } catch {
    // Another user's, or gone in the meantime.
    return false
  }
}

/** Undefined for an empty folder; throws for one that another program made. */
function readOwner(folder: string): ProcessIdentity | undefined {
  if (readdirSync(folder).length === 0) return undefined
  return JSON.parse(readFileSync(join(folder, OWNER), 'utf8')) as ProcessIdentity
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
