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
import { temporaryName } from '../lib/temporaryName.ts'
import { type HeldFolder, holdFolder } from './holdFolder.ts'

/** Copies a file, a link or a folder into a folder, and gives it its name when all of it is there. */
export async function copyHeld(from: string, folder: HeldFolder, name: string): Promise<void> {
  const temporary = temporaryName()
  try {
    await copy(from, folder.entry(temporary))
    renameSync(folder.entry(temporary), folder.entry(name))
  } catch (error) {
    // What went wrong matters more than what cannot be removed.
    ignoreErrors(() => removeHeld(folder, temporary))
    throw error
  }
}

/** Nobody else knows the temporary name; modes and times of a folder come last, when it is filled. */
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

/** Removes a name and all below it by held folders: a link is removed, never followed. */
export function removeHeld(folder: HeldFolder, name: string): void {
  if (!lstatSync(folder.entry(name)).isDirectory()) {
    unlinkSync(folder.entry(name))
    return
  }
  const inner = holdFolder(join(folder.path, name))
  try {
    for (const entry of readdirSync(inner.entry('.'))) removeHeld(inner, entry)
  } finally {
    inner.close()
  }
  rmdirSync(folder.entry(name))
}

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    // Said above.
  }
}
