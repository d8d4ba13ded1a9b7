import {
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { PathChange } from '../../contracts/effects.ts'
import { diskPath, statOf, withFile } from '../../lib/fs/diskPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { holdFolders, setMode } from '../../lib/fs/openFolderHandle.ts'
import { temporaryName } from '../../lib/fs/ownedFolder.ts'
import { orElse } from '../../lib/orElse.ts'
import type { Backup } from './openBackups.ts'
import type { FileStamp } from './surveyFiles.ts'

export type RestoreOptions = {
  readonly roots: readonly string[]
  readonly known: ReadonlyMap<string, Backup>
}

/**
 * Undoes changes in the checkout itself. New entries are removed; old ones come back with content, mode, time and
 * owner. Files are replaced, never written into, so that other hard links keep their content. All is done through open
 * folders: a program that still works there may put a link in the place of one. A new folder stays with what stays in
 * it: what was kept, and what git ignores. Returns what could not be restored.
 */
export function restorePaths(changes: readonly PathChange[], { roots, known }: RestoreOptions): string[] {
  const failed = new Set<string>()
  const folders = holdFolders()
  const place = { roots, folders }
  const each = (list: readonly PathChange[], work: (path: string, backup: Backup) => void) => {
    for (const { path } of list) {
      try {
        const backup = known.get(path)
        if (backup === undefined) throw new Error('there is no backup of it')
        work(path, backup)
      } catch {
        failed.add(path)
      }
    }
  }
  const old = changes.filter(({ kind }) => kind !== 'created')
  const oldFolders = old.filter(({ entry }) => entry === 'folder')
  // A locked folder must be opened to restore its content.
  for (const { path } of oldFolders) {
    const mode = (known.get(path)?.stamp.mode ?? 0) & 0o7777
    orElse(undefined, () => isFolder(path) && setMode(folders.entry(path), mode | 0o700))
  }
  for (const { path } of changes.filter(({ kind }) => kind === 'created').toReversed()) {
    try {
      if (statOf(path) !== undefined) removeNew(folders.entry(path))
    } catch {
      failed.add(path)
    }
  }
  each(oldFolders, (path) => {
    makeParents(path, place)
    makeRealFolder(folders.entry(path))
  })
  each(old, (path, backup) => {
    if (backup.stamp.kind === 'folder') return
    makeParents(path, place)
    const aside = clearPlace(path, folders)
    if (aside !== undefined) failed.add(aside)
    restore(folders.entry(path), path, backup)
  })
  each(oldFolders.toReversed(), (path, backup) => {
    const entry = folders.entry(path)
    own(entry, backup.stamp)
    setMode(entry, modeOf(backup))
  })
  folders.close()
  return [...failed]
}

type Place = Pick<RestoreOptions, 'roots'> & { readonly folders: ReturnType<typeof holdFolders> }

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true
}

function modeOf({ stamp }: Backup): number {
  return stamp.mode & 0o7777
}

/** A folder stays if something is in it: what was kept, what git ignores, or what came since. */
function removeNew(entry: string): void {
  if (!isFolder(entry)) rmSync(diskPath(entry), { force: true })
  else if (readdirSync(diskPath(entry)).length === 0) rmdirSync(diskPath(entry))
}

/** Makes every folder above a path a real folder: a link in its place would redirect the write. */
function makeParents(path: string, place: Place): void {
  const folder = dirname(path)
  const root = place.roots.find((each) => isWithin(folder, each))
  if (root === undefined || folder === root) return
  makeParents(folder, place)
  makeRealFolder(place.folders.entry(folder))
}

/** Makes a folder, also in place of something else: a link would point elsewhere. */
export function makeRealFolder(path: string): void {
  if (isFolder(path)) return
  rmSync(diskPath(path), { force: true })
  mkdirSync(diskPath(path))
}

/** A folder with ignored files that took the place of a file gets another name. Returns that. */
function clearPlace(path: string, folders: Place['folders']): string | undefined {
  if (!isFolder(path)) return undefined
  removeNew(folders.entry(path))
  const name = Array.from({ length: MOST_ASIDE }, (_, at) => `${path}.aside-${at}`).find((each) => !statOf(each))
  if (!isFolder(path) || name === undefined) return undefined
  renameSync(diskPath(folders.entry(path)), diskPath(folders.entry(name)))
  return name
}

const MOST_ASIDE = 100

function restore(entry: string, path: string, backup: Backup): void {
  const { stamp, copy } = backup
  if (copy === undefined) throw new Error('its content was not saved')
  const temporary = join(dirname(entry), temporaryName())
  if (stamp.kind === 'link') symlinkSync(readlinkSync(copy), temporary)
  else copyFileSync(copy, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  // Only root may give a file to another owner.
  const isOwned = orElse(false, () => own(temporary, stamp) === undefined)
  if (!isOwned && isRewritten(entry, stamp, copy)) {
    rmSync(temporary)
    return
  }
  if (stamp.kind !== 'link') {
    setMode(temporary, modeOf(backup))
    lutimesSync(temporary, stamp.atimeMs / 1000, Number(stamp.mtimeNs) / 1e9)
  }
  renameSync(temporary, diskPath(entry))
  if (!isOwned) throw new Error(`the owner of ${path} could not be restored`)
}

const WRITE = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Writes a file in place, which keeps its owner. False where it is another one by now, or has other names. */
function isRewritten(entry: string, { ino }: FileStamp, copy: string): boolean {
  const rewrite = (file: number) => {
    const now = fstatSync(file, { bigint: true })
    if (!now.isFile() || now.ino !== ino || now.nlink !== 1n) return false
    ftruncateSync(file)
    writeFileSync(file, readFileSync(copy))
    return true
  }
  return orElse(false, () => withFile(entry, WRITE, rewrite))
}

function own(entry: string, stamp: FileStamp): void {
  const { uid, gid } = lstatSync(diskPath(entry))
  if (uid !== stamp.uid || gid !== stamp.gid) lchownSync(diskPath(entry), stamp.uid, stamp.gid)
}

/** The files that were restored, with their original stamps. */
export function restoredFiles(
  away: readonly PathChange[],
  known: ReadonlyMap<string, Backup>,
  failed: readonly string[],
): { readonly path: string; readonly old: FileStamp }[] {
  return away.flatMap(({ path }) => {
    const old = known.get(path)?.stamp
    return old === undefined || old.kind === 'folder' || failed.includes(path) ? [] : [{ path, old }]
  })
}
