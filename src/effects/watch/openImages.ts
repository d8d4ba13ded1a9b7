import { constants, copyFileSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { diskPath } from '../../lib/fs/diskPath.ts'
import { type FileStamp, type Survey, stampAt } from './surveyFiles.ts'

/** The state of a path when it was read. */
export type Image = FileStamp & {
  /**
   * Where its content is stored, with its mode, or the link itself. Undefined for folders and for what cannot be
   * stored.
   */
  readonly copy: string | undefined
}

/** The last known state of the checkout, with all contents. */
export type Images = {
  readonly known: ReadonlyMap<string, Image>
  /** Updates the images to the state of a checkout that no command works on. Copies only what differs. */
  begin(now: Survey): void
  /** Does the same while a command works: a file that changed since the survey keeps the image that it had, if any. */
  keep(now: Survey): void
  /** The same for some paths. */
  keepAt(paths: readonly string[]): void
  /** Accepts new stamps of files whose content equals their images. */
  touch(files: readonly { readonly path: string; readonly stamp: FileStamp }[]): void
}

/** Larger files are not copied: a change to one is noticed but cannot be undone. */
const MOST_BYTES = 512n * 1024n * 1024n

/** A file that another program writes all the time has no image. */
const MOST_TRIES = 3

/** Contents are copied into `folder`, which is the run's own. If the file system can share data, nothing is copied. */
export function openImages(folder: string): Images {
  const known = new Map<string, Image>()
  let count = 0
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const drop = (path: string) => {
    const copy = known.get(path)?.copy
    if (copy !== undefined) rmSync(copy, { force: true })
    known.delete(path)
  }
  /** False where the file is another by now: a content that nobody judged must not stand for one that was. */
  const keepOne = (path: string, stamp: FileStamp): boolean => {
    if (known.get(path)?.word === stamp.word) return true
    const copy = copyOf(path, stamp, join(folder, String(count++)))
    if (stampAt(path)?.word !== stamp.word) {
      if (copy !== undefined) rmSync(copy, { force: true })
      return false
    }
    drop(path)
    known.set(path, { ...stamp, copy })
    return true
  }
  const keepNow = (path: string, first = stampAt(path)) => {
    let stamp = first
    for (let left = MOST_TRIES; left > 0 && stamp !== undefined; left--) {
      if (keepOne(path, stamp)) return
      stamp = stampAt(path)
    }
    drop(path)
    if (stamp !== undefined) known.set(path, { ...stamp, copy: undefined })
  }
  const dropOthers = (now: Survey) => {
    for (const path of known.keys()) if (!now.has(path)) drop(path)
  }
  return {
    known,
    begin(now) {
      dropOthers(now)
      for (const [path, stamp] of now) keepNow(path, stamp)
    },
    keep(now) {
      dropOthers(now)
      for (const [path, stamp] of now) keepOne(path, stamp)
    },
    keepAt(paths) {
      for (const path of paths) keepNow(path)
    },
    touch(files) {
      for (const { path, stamp } of files) known.set(path, { ...stamp, copy: known.get(path)?.copy })
    },
  }
}

function copyOf(path: string, { stat }: FileStamp, copy: string): string | undefined {
  try {
    if (stat.isSymbolicLink()) symlinkSync(readlinkSync(diskPath(path)), copy)
    else if (stat.isFile() && stat.size <= MOST_BYTES) copyFileSync(diskPath(path), copy, constants.COPYFILE_FICLONE)
    else return undefined
    return copy
  } catch {
    // Unreadable, or gone in the meantime.
    return undefined
  }
}
