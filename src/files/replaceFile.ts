import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { temporaryName } from '../lib/temporaryName.ts'
import type { Folder } from './openFolder.ts'
import { hasCode } from './toFileError.ts'

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Gives `name` new content as a whole: a reader, a full disk or a kill at any moment sees the old bytes or the new ones.
 * Mode and, where allowed, owner of `old` are kept. Returns what now stands there.
 */
export async function replaceFile(
  folder: Folder,
  name: string,
  content: Uint8Array,
  old: Stats | undefined,
): Promise<Stats> {
  const temporary = folder.entry(temporaryName())
  const handle = await open(temporary, FLAGS, old ? 0o600 : 0o666)
  try {
    const written = await fill(handle, content, old)
    await rename(temporary, folder.entry(name))
    await folder.sync()
    return written
  } catch (error) {
    // What went wrong matters more than a temporary file that cannot be removed.
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}

async function fill(handle: FileHandle, content: Uint8Array, old: Stats | undefined): Promise<Stats> {
  try {
    await handle.writeFile(content)
    if (old) await keepOwnerAndMode(handle, old)
    await handle.sync()
    return await handle.stat()
  } finally {
    await handle.close()
  }
}

/** Owner first: a change of owner clears the set-user-id bits. */
async function keepOwnerAndMode(handle: FileHandle, old: Stats): Promise<void> {
  const now = await handle.stat()
  if (now.uid !== old.uid || now.gid !== old.gid) {
    try {
      await handle.chown(old.uid, old.gid)
    } catch (error) {
      // Only root may give a file away.
      if (!hasCode(error, 'EPERM')) throw error
    }
  }
  await handle.chmod(old.mode & 0o7777)
}
