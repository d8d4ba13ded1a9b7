import { chmodSync, constants, copyFileSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { RunGit } from '../../git/own/ownGit.ts'
import { diskPath } from '../../lib/fs/diskPath.ts'
import { holdFolders, throughFolder } from '../../lib/fs/openFolderHandle.ts'
import { orElse } from '../../lib/orElse.ts'
import { type GitContent, writeGitContents } from './gitContents.ts'
import { openPack, type Pack, type PackedContent } from './openPack.ts'
import { type FileStamp, type Survey, stampAt } from './surveyFiles.ts'

export type Backup = Pick<StoredBackup, 'stamp' | 'copy' | 'git' | 'seenBy'>

type Copy = { file: string | undefined; packed?: PackedContent | undefined; readonly git?: GitContent }

/** Larger files are not copied: a change to one is noticed but cannot be undone. */
const MAX_BYTES = 512 * 1024 * 1024

/** A file that another program writes all the time has no backup. */
const MAX_TRIES = 3

/** The number of files that are copied between two pauses for other work. */
const AT_ONCE = 500

/**
 * The last known state of the checkout, with all contents. They are copied into `folder`, which is the run's own: those
 * of the first survey into one file, later ones one by one. If the file system can share data, these are not copied.
 */
export function openBackups(folder: string, runGit: RunGit) {
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
    known.set(path, new StoredBackup(path, stamp, stored, newFile))
  }
  const copyOf = (entry: string, stamp: FileStamp): Copy => {
    const packed = stamp.kind === 'file' ? pack?.add(entry) : undefined
    if (packed !== undefined) return { file: undefined, packed }
    const file = newFile()
    return { file: isCopied(entry, stamp, file) ? file : undefined }
  }
  /** False where the file is another by now: a content that nobody judged must not stand for one that was. */
  const keepOne = (path: string, entry: string, stamp: FileStamp): boolean => {
    if (known.get(path)?.stamp.isSame(stamp) === true) return true
    const copy = copyOf(entry, stamp)
    if (stampAt(entry, stamp) !== stamp) {
      if (copy.file !== undefined) rmSync(copy.file, { force: true })
      return false
    }
    drop(path)
    set(path, stamp, copy)
    return true
  }
  const keepNow = (path: string, entry: string, first = stampAt(entry)) => {
    let stamp = first
    for (let left = MAX_TRIES; left > 0 && stamp !== undefined; left--) {
      if (keepOne(path, entry, stamp)) return
      stamp = stampAt(entry)
    }
    drop(path)
    if (stamp !== undefined) set(path, stamp, { file: undefined })
  }
  return {
    known: known as ReadonlyMap<string, Backup>,
    /** Updates the backups to the state of a checkout that no command works on. What git has by then is not copied. */
    async begin({ found, gone }: Survey, git?: ReadonlyMap<string, GitContent>) {
      pack ??= openPack(join(folder, 'pack'))
      for (const path of gone) drop(path)
      let left = AT_ONCE
      const folders = holdFolders()
      for (const [path, stamp] of found) {
        const content = git?.get(path)
        if (content === undefined) keepNow(path, folders.find(path), stamp)
        else set(path, stamp, { file: undefined, git: content })
        if (left-- > 0) continue
        await setImmediate()
        left = AT_ONCE
      }
      folders.close()
      pack.seal()
    },
    /** Makes copies of what git has, because these paths were changed or removed. */
    async fetch(paths: readonly string[]) {
      const wanted = new Map<string, GitContent>()
      for (const path of paths) {
        const { git, file } = known.get(path)?.stored ?? {}
        if (git !== undefined && file === undefined) wanted.set(path, git)
      }
      if (wanted.size === 0) return
      for (const [path, file] of await writeGitContents(wanted, newFile(), runGit)) {
        const backup = known.get(path)
        if (backup === undefined) continue
        chmodSync(file, backup.stamp.mode & 0o777)
        backup.stored.file = file
      }
    },
    /** Does the same while a command works: a file that changed since the survey keeps the backup that it had, if any. */
    keep({ found, gone }: Survey) {
      for (const path of gone) drop(path)
      const folders = holdFolders()
      for (const [path, stamp] of found) keepOne(path, folders.find(path), stamp)
      folders.close()
    },
    /** Updates those of some paths. */
    keepAt(paths: readonly string[]) {
      const folders = holdFolders()
      for (const path of paths) keepNow(path, folders.find(path))
      folders.close()
    },
    /** Reads the state that paths will have, in files elsewhere. The result makes it theirs. */
    hold(paths: readonly (readonly [path: string, from: string])[]) {
      const held = paths.map(([path, from]) => {
        const stamp = stampAt(from)
        return { path, stamp, copy: stamp && copyOf(from, stamp) }
      })
      return () => {
        for (const { path, stamp, copy } of held) {
          drop(path)
          // A deletion in a view is a device.
          if (stamp !== undefined && copy !== undefined && stamp.kind !== 'device') set(path, stamp, copy)
        }
      }
    },
    /** Accepts new stamps of files whose content equals their backups. */
    touch(files: readonly { readonly path: string; readonly stamp: FileStamp }[]) {
      for (const { path, stamp } of files) set(path, stamp, known.get(path)?.stored ?? { file: undefined })
    },
    close: () => pack?.seal(),
  }
}

/** The state of a path when it was read. */
class StoredBackup {
  readonly #path: string
  readonly stamp: FileStamp
  /** The survey that saw it last. */
  seenBy: unknown
  readonly stored: Copy
  readonly #newFile: () => string

  constructor(path: string, stamp: FileStamp, stored: Copy, newFile: () => string) {
    this.#path = path
    this.stamp = stamp
    this.stored = stored
    this.#newFile = newFile
  }

  /** The content, if git has it: then `copy` is there while nobody touched the file, or after `fetch`. */
  get git(): GitContent | undefined {
    return this.stored.git
  }

  /** A file with its content, or the link itself; undefined where there is none. It may have to be written first. */
  get copy(): string | undefined {
    this.stored.file ??= this.#written(this.#newFile())
    return this.stored.file
  }

  #written(file: string): string | undefined {
    const { stored, stamp } = this
    if (stored.packed !== undefined) {
      if (isUnpacked(stored.packed, file, stamp)) return file
      stored.packed = undefined
    }
    if (stored.git === undefined) return undefined
    return throughFolder(this.#path, (entry) => {
      const isHere = () => stampAt(entry, stamp) === stamp
      return isHere() && isCopied(entry, stamp, file) && isHere() ? file : undefined
    })
  }
}

/** False where a command changed the stored contents: nothing is restored from them. */
function isUnpacked(packed: PackedContent, file: string, { mode }: FileStamp): boolean {
  return orElse(false, () => packed.unpack(file, mode & 0o777) === undefined)
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
