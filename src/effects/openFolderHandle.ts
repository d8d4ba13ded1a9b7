import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

export type FolderHandle = ReturnType<typeof openFolderHandle>

/**
 * Opens a folder by its resolved path and checks its identity: the kernel's own name of the descriptor must be `path`.
 * It throws if a link was put in the way. Everything done through `entry` happens in this folder, even if its path has
 * changed since. Like `openFolder` of `files`, but for thousands of entries at once.
 */
export function openFolderHandle(path: string) {
  const descriptor = openSync(path, FLAGS)
  const self = `/proc/self/fd/${descriptor}`
  if (readlinkSync(self) !== path) {
    closeSync(descriptor)
    throw new Error(`${path} is reached by a link that was not there before`)
  }
  return {
    path,
    /** A name in the folder, as a path that starts at its descriptor. */
    entry: (name: string) => join(self, name),
    close: () => closeSync(descriptor),
  }
}
