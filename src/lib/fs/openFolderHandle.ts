import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orElse } from '../orElse.ts'
import { diskPath, nameFromDisk, withFile } from './diskPath.ts'

const isLinux = process.platform === 'linux'
/** Opens the entry itself, not the target of a link, and needs no read permission: open(2), fcntl.h of Linux. */
const O_PATH = 0o10000000
const FLAGS = (isLinux ? O_PATH : constants.O_RDONLY) | constants.O_DIRECTORY | constants.O_NOFOLLOW

export type FolderHandle = ReturnType<typeof openFolderHandle>

/**
 * Opens a folder by its resolved path and checks its identity: the kernel's own name of the descriptor must be `path`.
 * It throws if a link was put in the way. Everything done through `entry` happens in this folder, even if its path has
 * changed since. Elsewhere than on Linux, the path is used, which leaves a short gap. Like `openFolder` of `files`, but
 * for thousands of entries at once.
 */
export function openFolderHandle(path: string) {
  const descriptor = openSync(diskPath(path), FLAGS)
  const self = `/proc/self/fd/${descriptor}`
  const close = () => closeSync(descriptor)
  const real = isLinux ? readlinkSync(self, 'buffer') : realpathSync(diskPath(path), 'buffer')
  if (nameFromDisk(real) !== path) {
    close()
    throw new Error(`${path} is reached by a link that was not there before`)
  }
  return {
    path,
    /** A name in the folder, as a path that starts at its descriptor. */
    entry: (name: string) => join(isLinux ? self : path, name),
    close,
  }
}

/** No file can be in a file. */
const NOWHERE = '/dev/null/none'

/** Opens folders one at a time: the folder of a path is usually that of the path before. */
export function holdFolders() {
  let held: FolderHandle | undefined
  const close = () => {
    held?.close()
    held = undefined
  }
  const hold = (path: string): FolderHandle => {
    if (held?.path === path) return held
    close()
    held = openFolderHandle(path)
    return held
  }
  const entry = (path: string) => hold(dirname(path)).entry(basename(path))
  return {
    hold,
    /** A path as an entry of its folder, which is held until the next call. Throws if a link was put in the way. */
    entry,
    /** The same; a path that leads nowhere if its folder is gone, or a link was put in the way. */
    find: (path: string) => orElse(NOWHERE, () => entry(path)),
    close,
  }
}

/** Calls `work` with a path as an entry of its folder; undefined if that is gone, or a link was put in the way. */
export function throughFolder<T>(path: string, work: (entry: string) => T): T | undefined {
  const folder = orElse(undefined, () => openFolderHandle(dirname(path)))
  try {
    return folder && work(folder.entry(basename(path)))
  } finally {
    folder?.close()
  }
}

/** Changes the mode of an entry itself: `chmod` would follow a link that was put in its place. */
export function setMode(path: string, mode: number): void {
  if (!isLinux) {
    chmodSync(diskPath(path), mode)
    return
  }
  withFile(path, O_PATH | constants.O_NOFOLLOW, (descriptor) => chmodSync(`/proc/self/fd/${descriptor}`, mode))
}

/** Removes a name and everything below it through open folders: a link is removed, never followed. */
export function removeEntry(folder: FolderHandle, name: string): void {
  const entry = diskPath(folder.entry(name))
  if (!lstatSync(entry).isDirectory()) {
    unlinkSync(entry)
    return
  }
  const inner = openFolderHandle(join(folder.path, name))
  try {
    for (const each of readdirSync(inner.entry('.'), 'buffer')) removeEntry(inner, nameFromDisk(each))
  } finally {
    inner.close()
  }
  rmdirSync(entry)
}
