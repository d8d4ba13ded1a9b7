import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FileError } from '../contracts/files.ts'
import { fileError, hasCode, toFileError } from './toFileError.ts'

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

export type Folder = Awaited<ReturnType<typeof openFolder>>

/**
 * Opens a folder by its resolved path and checks its identity. The kernel's own name of the descriptor must be `path`,
 * so a link that was put in the way is an error (`changed`). Everything done through `entry` happens in this folder,
 * even if its path has changed since. Linux uses `/proc/self/fd/N`. Elsewhere, the name is checked again after opening
 * and then used, which leaves a short gap.
 */
export async function openFolder(path: string) {
  const handle = await open(path, FLAGS).catch(async (error: unknown) => {
    throw (await isLink(path)) ? swapped(path) : toFileError(error, path)
  })
  try {
    const self = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path
    if ((await nameOf(handle, path)) !== path) throw swapped(path)
    return {
      path,
      /** The folder itself, by its descriptor. */
      self,
      /** A name in the folder, as a path that starts at the descriptor. */
      entry: (name: string) => join(self, name),
      /** Makes a new or removed name durable, if the file system can. */
      sync: () => syncFolder(handle),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw toFileError(error, path)
  }
}

/** Like `openFolder`, but creates missing folders, each inside one that is already held open. */
export async function openOrMakeFolder(path: string): Promise<Folder> {
  try {
    return await openFolder(path)
  } catch (error) {
    if (!(error instanceof FileError && error.code === 'not_found') || path === dirname(path)) throw error
  }
  const parent = await openOrMakeFolder(dirname(path))
  try {
    await mkdir(parent.entry(basename(path)))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw toFileError(error, path)
  } finally {
    await parent.close()
  }
  return openFolder(path)
}

async function nameOf(handle: FileHandle, path: string): Promise<string> {
  if (process.platform === 'linux') return readlink(`/proc/self/fd/${handle.fd}`)
  const name = await realpath(path)
  const [opened, named] = await Promise.all([handle.stat(), lstat(name)])
  return opened.dev === named.dev && opened.ino === named.ino ? name : ''
}

async function isLink(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isSymbolicLink() === true
}

async function syncFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync()
  } catch (error) {
    // Some file systems cannot sync a folder; the content is safe anyway.
    if (!hasCode(error, 'EINVAL', 'ENOTSUP', 'EBADF', 'EPERM')) throw error
  }
}

function swapped(path: string): FileError {
  return fileError('changed', path, 'is reached by a link that was not there when the call was judged')
}
