import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, rename, unlink } from 'node:fs/promises'
import { temporaryName } from '../lib/fs/ownedFolder.ts'
import type { Folder } from './openFolder.ts'
import { hasCode } from './toFileError.ts'

/** The old state, and what to change. */
type Given = { readonly old: Stats | undefined; readonly isExecutable?: boolean | undefined }

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/**
 * Gives `name` new content as a whole: at any moment, a reader, a full disk or a kill sees the old bytes or the new
 * ones. Keeps the mode and, if allowed, the owner of `old`. Returns the new state.
 */
export async function replaceFile(
  folder: Folder,
  name: string,
  content: Uint8Array,
  { old, isExecutable }: Given,
): Promise<Stats> {
  const temporary = folder.entry(temporaryName())
  const handle = await open(temporary, FLAGS, old ? 0o600 : 0o666)
  try {
    const written = await fill(handle, content, { old, isExecutable })
    await rename(temporary, folder.entry(name))
    await folder.sync()
    return written
  } catch (error) {
    // The original error matters more than a temporary file that cannot be removed.
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}

async function fill(handle: FileHandle, content: Uint8Array, { old, isExecutable }: Given): Promise<Stats> {
  try {
    await handle.writeFile(content)
    if (old) await keepOwnerAndMode(handle, old)
    if (isExecutable !== undefined) await setExecutable(handle, isExecutable)
    await handle.sync()
    return await handle.stat()
  } finally {
    await handle.close()
  }
}

/** Anyone who may read it may run it; other bits stay. */
async function setExecutable(handle: FileHandle, isExecutable: boolean): Promise<void> {
  const mode = (await handle.stat()).mode & 0o7777
  await handle.chmod(isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111)
}

/** Owner first: a change of owner clears the set-user-id bits. */
async function keepOwnerAndMode(handle: FileHandle, old: Stats): Promise<void> {
  const now = await handle.stat()
  if (now.uid !== old.uid || now.gid !== old.gid) {
    try {
      await handle.chown(old.uid, old.gid)
    } catch (error) {
      // Only root may change the owner.
      if (!hasCode(error, 'EPERM')) throw error
    }
  }
  await handle.chmod(old.mode & 0o7777)
}
