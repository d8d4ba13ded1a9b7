import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { PathChange } from '../../contracts/effects.ts'
import { diskPath, statOf } from '../../lib/fs/diskPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { temporaryName } from '../../lib/fs/ownedFolder.ts'
import { foldersAbove } from '../../lib/fs/paths.ts'
import { orElse } from '../../lib/orElse.ts'
import type { Backup } from './openBackups.ts'
import type { FileStamp } from './surveyFiles.ts'

export type RestoreOptions = {
  readonly roots: readonly string[]
  readonly known: ReadonlyMap<string, Backup>
  /** Changes that stay; folders that contain one stay too. */
  readonly kept: readonly PathChange[]
}

/**
 * Undoes changes in the checkout itself. New entries are removed; old ones come back with content, mode, time and
 * owner. Files are replaced, never written into, so that other hard links keep their content. Returns the paths that
 * could not be restored.
 */
export function restorePaths(changes: readonly PathChange[], { roots, known, kept }: RestoreOptions): string[] {
  const failed = new Set<string>()
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
  const folders = old.filter(({ entry }) => entry === 'folder')
  // A locked folder must be opened to restore its content.
  each(folders, (path, backup) => void (isFolder(path) && chmodSync(diskPath(path), modeOf(backup) | 0o700)))
  const staying = foldersAbove([...known.keys(), ...kept.map(({ path }) => path)])
  for (const { path } of changes.filter(({ kind }) => kind === 'created').toReversed()) {
    if (isFolder(path) && staying.has(path)) continue
    try {
      rmSync(diskPath(path), { recursive: true, force: true })
    } catch {
      failed.add(path)
    }
  }
  each(folders, (path) => {
    makeParents(path, roots)
    makeRealFolder(path)
  })
  each(old, (path, backup) => {
    if (backup.stamp.kind === 'folder') return
    makeParents(path, roots)
    restore(path, backup)
  })
  each(folders.toReversed(), (path, backup) => {
    own(path, backup.stamp)
    chmodSync(diskPath(path), modeOf(backup))
  })
  return [...failed]
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true
}

function modeOf({ stamp }: Backup): number {
  return stamp.mode & 0o7777
}

/** Makes every folder above a path a real folder: a link in its place would redirect the write. */
function makeParents(path: string, roots: readonly string[]): void {
  const folder = dirname(path)
  const root = roots.find((each) => isWithin(folder, each))
  if (root === undefined || folder === root) return
  makeParents(folder, roots)
  makeRealFolder(folder)
}

/** Makes a folder, also in place of something else: a link would point elsewhere. */
export function makeRealFolder(path: string): void {
  if (isFolder(path)) return
  rmSync(diskPath(path), { force: true })
  mkdirSync(diskPath(path))
}

function restore(path: string, backup: Backup): void {
  const { stamp, copy } = backup
  if (copy === undefined) throw new Error('its content was not saved')
  if (isFolder(path)) rmSync(diskPath(path), { recursive: true })
  const temporary = join(dirname(path), temporaryName())
  if (stamp.kind === 'link') symlinkSync(readlinkSync(copy), diskPath(temporary))
  else copyFileSync(copy, diskPath(temporary), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  // Only root may give a file to another owner.
  const isOwned = orElse(false, () => own(temporary, stamp) === undefined)
  if (!isOwned && isSameFile(path, stamp)) {
    rmSync(diskPath(temporary))
    // Not `copyFileSync`, which changes the mode, and removes the file if it may not.
    writeFileSync(diskPath(path), readFileSync(copy))
    return
  }
  if (stamp.kind !== 'link') {
    chmodSync(diskPath(temporary), modeOf(backup))
    utimesSync(diskPath(temporary), stamp.atimeMs / 1000, Number(stamp.mtimeNs) / 1e9)
  }
  renameSync(diskPath(temporary), diskPath(path))
  if (!isOwned) throw new Error('its owner could not be restored')
}

/** A file of another owner that is still there, without other names: it can only be written in place. */
function isSameFile(path: string, { ino, nlink }: FileStamp): boolean {
  const now = statOf(path)
  return now?.isFile() === true && now.ino === ino && nlink === 1 && now.nlink === 1n
}

function own(path: string, stamp: FileStamp): void {
  const { uid, gid } = lstatSync(diskPath(path))
  if (uid !== stamp.uid || gid !== stamp.gid) lchownSync(diskPath(path), stamp.uid, stamp.gid)
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
