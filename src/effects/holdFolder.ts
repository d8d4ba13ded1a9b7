import { closeSync, constants, openSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** An open folder: what is done through `entry` happens in this folder, whatever its path has become since. */
export type HeldFolder = {
  readonly path: string
  /** A name in the folder, as a path that starts at its descriptor. */
  entry(name: string): string
  close(): void
}

/**
 * Opens a folder by its resolved path and proves that it is the one meant: the kernel's own name of the descriptor must be
 * `path`, so a link that was put in the way makes it throw. Like `openFolder` of `files`, for thousands of entries at once.
 */
export function holdFolder(path: string): HeldFolder {
  const descriptor = openSync(path, FLAGS)
  const self = `/proc/self/fd/${descriptor}`
  if (readlinkSync(self) !== path) {
    closeSync(descriptor)
    throw new Error(`${path} is reached by a link that was not there before`)
  }
  return { path, entry: (name) => join(self, name), close: () => closeSync(descriptor) }
}
