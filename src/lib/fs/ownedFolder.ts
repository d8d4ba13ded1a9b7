import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProcessIdentity } from '../../contracts/events.ts'
import { orElse } from '../orElse.ts'
import { ownIdentity, processState } from '../process/processIdentity.ts'
import { namesIn } from './folders.ts'

/** The file that names a folder's owner. */
export const OWNER = '.owner'

/** A folder may have no owner for this long, while another process creates or removes it. */
const NAMELESS_MS = 60_000

/** Creates a folder that only this user can enter and that names its owner. Absolute and resolved. */
export function ownedFolder(parent: string, prefix: string): string {
  const folder = realpathSync(mkdtempSync(join(parent, `${prefix}${makerMark()}`)))
  nameOwner(folder)
  return folder
}

/** A temporary folder, which the caller removes with `removeOwned`. On a full disk it names no owner. */
export function shortLivedFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${makerMark()}`))
  try {
    nameOwner(folder)
  } catch {
    // The work in the folder needs less space, or reports what is missing.
  }
  return folder
}

/** Removes a folder, the owner's name last: if that is cut short, the rest still counts as abandoned. */
export function removeOwned(folder: string): void {
  const remove = (name: string): void => rmSync(join(folder, name), { recursive: true, force: true })
  readdirSync(folder)
    .filter((name) => name !== OWNER)
    .forEach(remove)
  rmSync(folder, { recursive: true, force: true })
}

function nameOwner(folder: string): void {
  writeFileSync(join(folder, OWNER), JSON.stringify(ownIdentity()), { mode: 0o600 })
}

/** The folders of this name whose owners were killed. */
export function abandonedFolders(parent: string, prefix: string): string[] {
  const self = ownIdentity()
  return namesIn(parent)
    .filter((name) => name.startsWith(prefix))
    .filter((name) => isAbandoned(join(parent, name), name.slice(prefix.length), self))
    .map((name) => join(parent, name))
}

function isAbandoned(folder: string, mark: string, self: ProcessIdentity): boolean {
  // Another user's, or gone in the meantime.
  return orElse(false, () => {
    const stat = lstatSync(folder)
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false
    // If another process has the same id now, the start time in the owner file distinguishes them.
    if (isMadeByDead(mark, self)) return true
    const owner = readOwner(folder)
    return owner === undefined ? Date.now() - stat.mtimeMs > NAMELESS_MS : processState(owner) === 'dead'
  })
}

/** Part of the folder's name, because its creator may be killed before it writes the owner file. */
function makerMark(): string {
  const self = ownIdentity()
  return `${self.pid}_${machineMark(self)}_`
}

/** Identifies the machine or container that a process id belongs to. */
function machineMark({ boot, host, namespace }: ProcessIdentity): string {
  return createHash('sha256')
    .update(JSON.stringify([boot, host, namespace]))
    .digest('hex')
    .slice(0, 12)
}

function isMadeByDead(mark: string, self: ProcessIdentity): boolean {
  const [, pid, machine] = /^(\d+)_([0-9a-f]+)_/.exec(mark) ?? []
  if (machine !== machineMark(self)) return false
  return processState({ ...self, pid: Number(pid), started: null }) === 'dead'
}

/** The owner of a folder; undefined where it or its owner file is empty. Throws for one of another program. */
function readOwner(folder: string): ProcessIdentity | undefined {
  const names = readdirSync(folder)
  if (names.length === 0) return undefined
  const text = readFileSync(join(folder, OWNER), 'utf8')
  return text === '' && names.length === 1 ? undefined : (JSON.parse(text) as ProcessIdentity)
}

const PATTERN = /^\.[\w-]{12}\.kode-run\.tmp$/

/** An unpredictable name for a file that replaces another when it is complete. */
export function temporaryName(): string {
  return `.${randomBytes(9).toString('base64url')}.kode-run.tmp`
}

/** True for such a name: if no run is writing any more, the file was left by a killed run. */
export function isTemporaryName(name: string): boolean {
  return PATTERN.test(name)
}
