import { constants, copyFileSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { diskPath } from '../lib/diskPath.ts'
import { type FileStamp, type Survey, stampAt } from './surveyFiles.ts'

/** How a path stood when it was looked at. */
export type Image = FileStamp & {
  /** Where its content is kept, with its mode, or the link itself. Undefined for folders and what cannot be kept. */
  readonly copy: string | undefined
}

/** The last known state of the checkout, with all contents. */
export type Images = {
  readonly known: ReadonlyMap<string, Image>
  /** Brings the images to a state. Only what differs is copied. */
  keep(now: Survey): void
  /** The same for some paths. */
  keepAt(paths: readonly string[]): void
}

/** Larger files are not copied: a change of one can be seen, and not be put back. */
const MOST_BYTES = 512n * 1024n * 1024n

/** Contents are copied into `folder`, which is the run's own; where the file system can share them, nothing is copied. */
export function openImages(folder: string): Images {
  const known = new Map<string, Image>()
  let count = 0
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const drop = (path: string) => {
    const copy = known.get(path)?.copy
    if (copy !== undefined) rmSync(copy, { force: true })
    known.delete(path)
  }
  const keepOne = (path: string, stamp: FileStamp | undefined) => {
    if (stamp !== undefined && known.get(path)?.word === stamp.word) return
    drop(path)
    if (stamp !== undefined) known.set(path, { ...stamp, copy: copyOf(path, stamp, join(folder, String(count++))) })
  }
  return {
    known,
    keep(now) {
      for (const path of known.keys()) if (!now.has(path)) drop(path)
      for (const [path, stamp] of now) keepOne(path, stamp)
    },
    keepAt(paths) {
      for (const path of paths) keepOne(path, stampAt(path))
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
    // Unreadable, or gone meanwhile.
    return undefined
  }
}
