import { fsyncSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PathChange } from '../../contracts/effects.ts'
import type { ProcessIdentity } from '../../contracts/events.ts'
import { withFile } from '../../lib/fs/diskPath.ts'
import { namesIn } from '../../lib/fs/folders.ts'
import { temporaryName } from '../../lib/fs/ownedFolder.ts'
import { orElse } from '../../lib/orElse.ts'
import { ownIdentity } from '../../lib/process/processIdentity.ts'
import type { TakeOverStep } from './takeOverSteps.ts'

/** What a take-over is about to do, so that another process can finish it. */
export type JournalEntry = {
  readonly owner: ProcessIdentity
  /** The tool use that made the changes. */
  readonly by: string
  /** The folder of the view. */
  readonly view: string
  readonly changes: readonly PathChange[]
  readonly steps: readonly TakeOverStep[]
}

const SUFFIX = '.take-over.json'

/** Writes an entry durably, before the first step. Returns its file. Where that fails, no later run finds an entry. */
export function writeJournal(folder: string, name: string, entry: Omit<JournalEntry, 'owner'>): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${name}${SUFFIX}`)
  const temporary = join(folder, temporaryName())
  try {
    const text = JSON.stringify({ ...entry, owner: ownIdentity() } satisfies JournalEntry)
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true })
    renameSync(temporary, file)
    // Some file systems cannot sync a folder; the entry itself is safe.
    withFile(folder, 'r', (descriptor) => orElse(undefined, () => fsyncSync(descriptor)))
    return file
  } catch (error) {
    for (const path of [temporary, file]) rmSync(path, { force: true })
    throw error
  }
}

/**
 * Removes an entry whose steps are done, or known to have failed. Not synced: where the power fails, the steps may be lost
 * too, and must not be without their entry.
 */
export function removeJournal(file: string): void {
  rmSync(file, { force: true })
}

/** The existing entries, the oldest name first; undefined for one that cannot be read. */
export function readJournals(folder: string): { readonly file: string; readonly entry: JournalEntry | undefined }[] {
  const names = namesIn(folder).filter((name) => name.endsWith(SUFFIX))
  return names.sort().map((name) => {
    const file = join(folder, name)
    return { file, entry: readEntry(file) }
  })
}

/** Moves an unreadable entry aside, so that it is reported once. */
export function quarantineEntry(file: string): void {
  renameSync(file, `${file}.damaged`)
}

function readEntry(file: string): JournalEntry | undefined {
  const entry = orElse(undefined, () => JSON.parse(readFileSync(file, 'utf8')) as Partial<JournalEntry> | null)
  return Array.isArray(entry?.steps) && entry.owner !== undefined ? (entry as JournalEntry) : undefined
}
