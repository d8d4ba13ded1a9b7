import { constants, copyFileSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { diskPath } from '../../lib/fs/diskPath.ts'
import { orElse } from '../../lib/orElse.ts'
import { openPack, type Pack, type PackedContent } from './openPack.ts'
import { type FileStamp, type Survey, stampAt } from './surveyFiles.ts'

/** The state of a path when it was read. */
export type Backup = {
  readonly stamp: FileStamp
  /**
   * A file with its content, or the link itself. Undefined for folders and for what cannot be stored. Asked first, it
   * may have to be written.
   */
  readonly copy: string | undefined
}

/** The last known state of the checkout, with all contents. */
export type Backups = {
  readonly known: ReadonlyMap<string, Backup>
  /** Updates the backups to the state of a checkout that no command works on. */
  begin(differing: Survey): Promise<void>
  /** Does the same while a command works: a file that changed since the survey keeps the backup that it had, if any. */
  keep(differing: Survey): void
  /** Updates those of some paths. */
  keepAt(paths: readonly string[]): void
  /** Accepts new stamps of files whose content equals their backups. */
  touch(files: readonly { readonly path: string; readonly stamp: FileStamp }[]): void
  close(): void
}

type Copy = { file: string | undefined; packed?: PackedContent | undefined }

/** Larger files are not copied: a change to one is noticed but cannot be undone. */
const MAX_BYTES = 512 * 1024 * 1024

/** A file that another program writes all the time has no backup. */
const MAX_TRIES = 3

/** The number of files that are copied between two pauses for other work. */
const AT_ONCE = 500

/**
 * Contents are copied into `folder`, which is the run's own: those of the first survey into one file, later ones one by
 * one. If the file system can share data, these are not copied.
 */
export function openBackups(folder: string): Backups {
  const known = new Map<string, StoredBackup>()
  let count = 0
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const newFile = () => join(folder, String(count++))
  let pack: Pack | undefined

  const drop = (path: string) => {
    const file = known.get(path)?.stored.file
    if (file !== undefined) rmSync(file, { force: true })
    known.delete(path)
  }
  const set = (path: string, stamp: FileStamp, stored: Copy) => {
    known.set(path, new StoredBackup(stamp, stored, newFile))
  }
  const copyOf = (path: string, stamp: FileStamp, isFirst: boolean): Copy => {
    const packed = isFirst && stamp.kind === 'file' ? pack?.add(path) : undefined
    if (packed !== undefined) return { file: undefined, packed }
    const file = newFile()
    return { file: isCopied(path, stamp, file) ? file : undefined }
  }
  /** False where the file is another by now: a content that nobody judged must not stand for one that was. */
  const keepOne = (path: string, stamp: FileStamp, isFirst = false): boolean => {
    if (known.get(path)?.stamp.word === stamp.word) return true
    const copy = copyOf(path, stamp, isFirst)
    if (stampAt(path)?.word !== stamp.word) {
      if (copy.file !== undefined) rmSync(copy.file, { force: true })
      return false
    }
    drop(path)
    set(path, stamp, copy)
    return true
  }
  const keepNow = (path: string, first = stampAt(path), isFirst = false) => {
    let stamp = first
    for (let left = MAX_TRIES; left > 0 && stamp !== undefined; left--) {
      if (keepOne(path, stamp, isFirst)) return
      stamp = stampAt(path)
    }
    drop(path)
    if (stamp !== undefined) set(path, stamp, { file: undefined })
  }
  return {
    known,
    async begin({ found, gone }) {
      const isFirst = pack === undefined
      pack ??= openPack(join(folder, 'pack'))
      for (const path of gone) drop(path)
      let left = AT_ONCE
      for (const [path, stamp] of found) {
        keepNow(path, stamp, isFirst)
        if (left-- > 0) continue
        await setImmediate()
        left = AT_ONCE
      }
      pack.seal()
    },
    keep({ found, gone }) {
      for (const path of gone) drop(path)
      for (const [path, stamp] of found) keepOne(path, stamp)
    },
    keepAt(paths) {
      for (const path of paths) keepNow(path)
    },
    touch(files) {
      for (const { path, stamp } of files) set(path, stamp, known.get(path)?.stored ?? { file: undefined })
    },
    close: () => pack?.seal(),
  }
}

class StoredBackup implements Backup {
  readonly stamp: FileStamp
  readonly stored: Copy
  readonly #newFile: () => string

  constructor(stamp: FileStamp, stored: Copy, newFile: () => string) {
    this.stamp = stamp
    this.stored = stored
    this.#newFile = newFile
  }

  get copy(): string | undefined {
    const { stored } = this
    if (stored.file === undefined && stored.packed !== undefined) {
      const file = this.#newFile()
      if (isUnpacked(stored.packed, file, this.stamp)) stored.file = file
      else stored.packed = undefined
    }
    return stored.file
  }
}

/** False where a command changed the stored contents: nothing is restored from them. */
function isUnpacked(packed: PackedContent, file: string, { mode }: FileStamp): boolean {
  return orElse(false, () => {
    packed.unpack(file, mode & 0o777)
    return true
  })
}

function isCopied(path: string, { kind, size }: FileStamp, copy: string): boolean {
  // Unreadable, or gone in the meantime.
  return orElse(false, () => {
    if (kind === 'link') symlinkSync(readlinkSync(diskPath(path)), copy)
    else if (kind === 'file' && size <= MAX_BYTES) copyFileSync(diskPath(path), copy, constants.COPYFILE_FICLONE)
    else return false
    return true
  })
}
