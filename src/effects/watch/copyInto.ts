import {
  chmodSync,
  chownSync,
  constants,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryName } from '../../lib/fs/ownedFolder.ts'
import { orElse } from '../../lib/orElse.ts'
import { type FolderHandle, openFolderHandle } from '../openFolderHandle.ts'

/** Copies a file, a link or a folder into a folder. It gets its name when the copy is complete. */
export async function copyInto(from: string, folder: FolderHandle, name: string): Promise<void> {
  const temporary = temporaryName()
  try {
    await copy(from, folder.entry(temporary))
    renameSync(folder.entry(temporary), folder.entry(name))
  } catch (error) {
    // The original error matters more than a failed cleanup.
    orElse(undefined, () => removeEntry(folder, temporary))
    throw error
  }
}

/** Only this process knows the temporary name. Modes and times of a folder come last, when it is full. */
async function copy(from: string, to: string): Promise<void> {
  const stat = lstatSync(from)
  const isRoot = process.getuid?.() === 0
  if (stat.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to)
    if (isRoot) lchownSync(to, stat.uid, stat.gid)
    lutimesSync(to, stat.atime, stat.mtime)
    return
  }
  if (stat.isDirectory()) {
    mkdirSync(to, { mode: 0o700 })
    for (const name of readdirSync(from)) await copy(join(from, name), join(to, name))
  } else {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
  if (isRoot) chownSync(to, stat.uid, stat.gid)
  chmodSync(to, stat.mode & 0o7777)
  utimesSync(to, stat.atime, stat.mtime)
}

/** Removes a name and everything below it through open folders: a link is removed, never followed. */
export function removeEntry(folder: FolderHandle, name: string): void {
  if (!lstatSync(folder.entry(name)).isDirectory()) {
    unlinkSync(folder.entry(name))
    return
  }
  const inner = openFolderHandle(join(folder.path, name))
  try {
    for (const entry of readdirSync(inner.entry('.'))) removeEntry(inner, entry)
  } finally {
    inner.close()
  }
  rmdirSync(folder.entry(name))
}
