import { type BigIntStats, constants, type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gitPlace } from '../../git/places/gitPlace.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { WORKTREE_FOLDER } from '../../git/states/gitWorktree.ts'
import { canAccess } from '../../lib/fs/atPath.ts'
import { diskPath, nameFromDisk, statOf } from '../../lib/fs/diskPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { type FolderHandle, openFolderHandle, setMode } from '../../lib/fs/openFolderHandle.ts'
import { orElse } from '../../lib/orElse.ts'
import { entryKind } from '../changeOf.ts'
import type { FindScratch } from '../openCheckout.ts'

/** The state of a path. A survey of a large checkout keeps one for each, so it holds a tenth of what Node's stat holds. */
export class FileStamp {
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly nlink: number
  readonly size: number
  readonly atimeMs: number
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  readonly ino: bigint

  constructor(stat: BigIntStats) {
    this.mode = Number(stat.mode)
    this.uid = Number(stat.uid)
    this.gid = Number(stat.gid)
    this.nlink = Number(stat.nlink)
    this.size = Number(stat.size)
    this.atimeMs = Number(stat.atimeMs)
    this.mtimeNs = stat.mtimeNs
    this.ctimeNs = stat.ctimeNs
    this.ino = stat.ino
  }

  get kind() {
    return entryKind(this.mode)
  }

  /** True if nothing touched the path since. Of a folder only its type counts: its times change with its content. */
  isSame(other: FileStamp): boolean {
    if (other.mode !== this.mode) return false
    if (this.kind === 'folder') return other.uid === this.uid && other.gid === this.gid
    return other.ctimeNs === this.ctimeNs && this.isSameButForChange(other)
  }

  /** True if at most the change time differs: that of a file which lost a second name. */
  isSameButForChange({ size, mtimeNs, ino, mode }: FileStamp): boolean {
    return size === this.size && mtimeNs === this.mtimeNs && ino === this.ino && mode === this.mode
  }
}

/** What differs from an earlier state, by absolute path. */
export type Survey = {
  /** What is new or was touched, each folder before its content. */
  readonly found: ReadonlyMap<string, FileStamp>
  /** What is not there any more. */
  readonly gone: ReadonlySet<string>
}

/** The stamps of an earlier state, by absolute path. A survey marks what it sees: a set of it would be as large as all paths. */
export type KnownStamps = ReadonlyMap<string, { readonly stamp: FileStamp; seenBy?: unknown }>

const NOTHING: KnownStamps = new Map()

export type SurveyOptions = {
  readonly roots: readonly string[]
  readonly repositories: readonly CheckoutRepository[]
  readonly isScratch: FindScratch
  /** The earlier state. Without it, all that is there is new. */
  readonly known?: KnownStamps | undefined
  /** Files and folders to leave out. Absolute and resolved. */
  readonly own?: readonly string[] | undefined
  /**
   * True: also lists folders, ignore files, the content of `.git` folders (except what is noted), those entries of
   * ignored folders that could never be kept (repositories, links, devices), and what is ignored in a new folder.
   * Otherwise only files and links that git does not ignore are listed.
   */
  readonly isWide?: boolean
  /** True for a place that is listed although git ignores it. */
  readonly isProtected?: ((path: string) => boolean) | undefined
  /** True for an object of git that is not listed. */
  readonly isNoted?: ((path: string) => boolean) | undefined
  /** True for a file in an ignored folder that is listed anyway. */
  readonly isForbidden?: ((path: string) => boolean) | undefined
  /** Ends the survey early, with a part of what is there. */
  readonly signal?: AbortSignal | undefined
  /** True for a folder that is opened for its owner if this user cannot look into it. */
  readonly mayOpen?: ((path: string) => boolean) | undefined
}

/** Follows no link, opens no file, and changes nothing but the modes of locked folders (`mayOpen`). */
export async function surveyFiles(options: SurveyOptions) {
  const { known = NOTHING, mayOpen } = options
  const found = new Map<string, FileStamp>()
  const gone = new Set<string>()
  await walkFiles(options, (path, entry) => {
    const old = known.get(path)
    const before = old?.stamp
    const first = stampAt(entry, before)
    const isOther = first !== undefined && isLocked(first) && mayOpen?.(path) === true && isOpened(entry, first)
    const stamp = isOther ? stampAt(entry, before) : first
    if (stamp === undefined) return
    if (old !== undefined) old.seenBy = found
    if (stamp !== before) found.set(path, stamp)
  })
  for (const [path, { seenBy }] of known) if (seenBy !== found) gone.add(path)
  return { found, gone }
}

/**
 * Calls `note` for each path of such a survey, also with the path as an entry of its open folder: a program that works
 * in the checkout may put a link in the place of that folder.
 */
export async function walkFiles(options: SurveyOptions, note: (path: string, entry: string) => void): Promise<void> {
  const { roots, repositories, isScratch, isWide = false, own = [], known = NOTHING } = options
  const waiting = roots.map((path) => ({ path, isIgnored: false, isObjects: false }))
  const worktreeFolders = new Set(repositories.map(({ top }) => join(top, WORKTREE_FOLDER)))
  const ownPaths = new Set(own)
  const gitFolders = repositories.flatMap(({ gitDir, commonDir }) => [gitDir, commonDir])
  let left = MAX_IGNORED
  for (let next = waiting.pop(); next !== undefined && options.signal?.aborted !== true; next = waiting.pop()) {
    const { path: folder, isIgnored: isInIgnored, isObjects: isInObjects } = next
    const opened = orElse(undefined, () => openFolderHandle(folder))
    if (opened === undefined) continue
    try {
      const start = folder.endsWith('/') ? folder : `${folder}/`
      const isInGit = start.includes('/.git/') || gitFolders.some((gitFolder) => isWithin(folder, gitFolder))
      // What lies in a worktree of the run is ignored as the worktree says.
      const hasWorktrees = isWide && worktreeFolders.has(folder)
      const isNew = !isInIgnored && known.size > 0 && !known.has(folder) && !roots.includes(folder)
      for (const entry of await entriesOf(opened)) {
        const { name } = entry
        const path = start + name
        if (ownPaths.has(path)) continue
        const isFolder = entry.isDirectory()
        const isGit = isInGit || name === '.git'
        if (isGit && !isWide) continue
        const isObjects = isInObjects || (name === 'objects' && gitPlace(path, repositories) !== undefined)
        if (isObjects) {
          if (isFolder) waiting.push({ path, isIgnored: false, isObjects })
          if (options.isNoted?.(path) !== true) note(path, opened.entry(name))
          continue
        }
        const isIgnored =
          !isGit &&
          !(hasWorktrees && isFolder) &&
          (isInIgnored || (isScratch(path, isFolder) !== undefined && options.isProtected?.(path) !== true))
        if (isIgnored && (!isWide || left-- <= 0)) continue
        if (isFolder) waiting.push({ path, isIgnored, isObjects })
        const isOther = name === '.gitignore' || !(entry.isFile() || isFolder)
        const isSeen = () => isNew || isOther || options.isForbidden?.(path) === true
        if (isIgnored ? isSeen() : isWide || !isFolder) note(path, opened.entry(name))
      }
    } finally {
      opened.close()
    }
  }
}

/** The entries of a folder; none if it cannot be read. Bytes are read only where a name may not be UTF-8. */
async function entriesOf(folder: FolderHandle): Promise<readonly Dirent[]> {
  const path = diskPath(folder.entry('.'))
  const entries = typeof path === 'string' ? await readdir(path, { withFileTypes: true }).catch(() => []) : undefined
  if (entries?.every(({ name }) => !name.includes('\ufffd'))) return entries
  const raw = await readdir(path, { withFileTypes: true, encoding: 'buffer' }).catch(() => [])
  return raw.map((entry) => Object.assign(entry, { name: nameFromDisk(entry.name) }))
}

/** A folder into which its owner may not look. */
function isLocked({ kind, mode }: FileStamp): boolean {
  return kind === 'folder' && (mode & 0o500) !== 0o500
}

/** True if the locked folder is open now. Root can look into it as it is. */
function isOpened(entry: string, { mode }: FileStamp): boolean {
  if (canAccess(diskPath(entry), constants.R_OK | constants.X_OK)) return false
  return orElse(false, () => setMode(entry, (mode & 0o7777) | 0o700) === undefined)
}

/** Looks into ignored folders up to this many entries: a very large one would take too long. */
const MAX_IGNORED = 100_000

/** The state of a path; `known` itself if nothing touched the path since. */
export function stampAt(path: string, known?: FileStamp): FileStamp | undefined {
  const stat = statOf(path)
  const stamp = stat && new FileStamp(stat)
  return stamp !== undefined && known?.isSame(stamp) === true ? known : stamp
}
