import {
  constants,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FolderHandle, openFolderHandle, removeEntry, setMode } from '../../lib/fs/openFolderHandle.ts'
import { temporaryName } from '../../lib/fs/ownedFolder.ts'
import { orElse } from '../../lib/orElse.ts'

/** Copies a file, a link or a folder into a folder. It gets its name when the copy is complete. */
export async function copyInto(from: string, folder: FolderHandle, name: string): Promise<void> {
  const temporary = temporaryName()
  try {
    await copy(from, folder, temporary)
    renameSync(folder.entry(temporary), folder.entry(name))
  } catch (error) {
    // The original error matters more than a failed cleanup.
    orElse(undefined, () => removeEntry(folder, temporary))
    throw error
  }
}

/**
 * A program that works in the folder may put a link in the place of what is being copied: none is followed. Modes and
 * times of a folder come last, when it is full.
 */
async function copy(from: string, folder: FolderHandle, name: string): Promise<void> {
  const to = folder.entry(name)
  const stat = lstatSync(from)
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else if (!stat.isDirectory()) await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  else {
    mkdirSync(to, { mode: 0o700 })
    const inner = openFolderHandle(join(folder.path, name))
    try {
      for (const each of readdirSync(from)) await copy(join(from, each), inner, each)
    } finally {
      inner.close()
    }
  }
  if (process.getuid?.() === 0) lchownSync(to, stat.uid, stat.gid)
  if (!stat.isSymbolicLink()) setMode(to, stat.mode & 0o7777)
  lutimesSync(to, stat.atime, stat.mtime)
}
