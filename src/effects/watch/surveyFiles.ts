import { accessSync, type BigIntStats, chmodSync, constants, lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EntryKind } from '../../contracts/effects.ts'
import { gitPlace } from '../../git/places/gitPlace.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { WORKTREE_FOLDER } from '../../git/states/gitWorktree.ts'
import { diskPath, nameFromDisk } from '../../lib/fs/diskPath.ts'
import type { FindScratch } from '../judge/scratchLookup.ts'

/** The state of a path. A survey of a large checkout keeps one for each, so it holds a tenth of what Node's stat holds. */
export class FileStamp {
  /** If it is the same as before, nothing touched the path. */
  readonly word: string
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly nlink: number
  readonly size: number
  readonly atimeMs: number

  constructor(stat: BigIntStats) {
    const { size, mtimeNs, ctimeNs, ino, mode, uid, gid } = stat
    // Of a folder only its type: its times change with its content.
    this.word = stat.isDirectory() ? `folder ${mode} ${uid} ${gid}` : `${size} ${mtimeNs} ${ctimeNs} ${ino} ${mode}`
    this.mode = Number(mode)
    this.uid = Number(uid)
    this.gid = Number(gid)
    this.nlink = Number(stat.nlink)
    this.size = Number(size)
    this.atimeMs = Number(stat.atimeMs)
  }

  get kind(): EntryKind {
    return KINDS.get(this.mode & constants.S_IFMT) ?? 'device'
  }

  /** Nanoseconds. Not for folders. */
  get mtimeNs(): string | undefined {
    return this.word.split(' ')[1]
  }

  /** Not for folders. */
  get ino(): string | undefined {
    return this.word.split(' ')[3]
  }
}

const KINDS = new Map<number, EntryKind>([
  [constants.S_IFREG, 'file'],
  [constants.S_IFDIR, 'folder'],
  [constants.S_IFLNK, 'link'],
  [constants.S_IFIFO, 'fifo'],
  [constants.S_IFSOCK, 'socket'],
])

/** By absolute path, each folder before its content. */
export type Survey = ReadonlyMap<string, FileStamp>

export type SurveyOptions = {
  readonly roots: readonly string[]
  readonly repositories: readonly CheckoutRepository[]
  readonly isScratch: FindScratch
  /** Files and folders to leave out. Absolute and resolved. */
  readonly own?: readonly string[] | undefined
  /**
   * True: also lists folders, ignore files, the content of `.git` folders (except the objects of the checkout's own),
   * and those entries of ignored folders that could never be kept: repositories, links, devices. Otherwise only files
   * and links that git does not ignore are listed.
   */
  readonly isWide?: boolean
  /** True for a place that is listed although git ignores it. */
  readonly isProtected?: ((path: string) => boolean) | undefined
  /** True for a file in an ignored folder that is listed anyway. */
  readonly isForbidden?: ((path: string) => boolean) | undefined
  /** True for a folder that is opened for its owner if this user cannot look into it. */
  readonly mayOpen?: ((path: string) => boolean) | undefined
}

/** Follows no link, opens no file, and changes nothing but the modes of locked folders (`mayOpen`). */
export async function surveyFiles(options: SurveyOptions): Promise<Map<string, FileStamp>> {
  const found = new Map<string, FileStamp>()
  await walkFiles(options, (path) => {
    const first = stampAt(path)
    const isOther = first !== undefined && options.mayOpen?.(path) === true && isOpened(path, first)
    const stamp = isOther ? stampAt(path) : first
    if (stamp !== undefined) found.set(path, stamp)
  })
  return found
}

/** Calls `note` for each path of such a survey. */
export async function walkFiles(options: SurveyOptions, note: (path: string) => void): Promise<void> {
  const { roots, repositories, isScratch, isWide = false, own = [], isProtected, isForbidden } = options
  const waiting = roots.map((path) => ({ path, isIgnored: false }))
  const worktreeFolders = new Set(repositories.map(({ top }) => join(top, WORKTREE_FOLDER)))
  let left = MAX_IGNORED
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path: folder, isIgnored: isInIgnored } = next
    for (const entry of await readdir(diskPath(folder), { withFileTypes: true, encoding: 'buffer' }).catch(() => [])) {
      const name = nameFromDisk(entry.name)
      const path = join(folder, name)
      if (own.includes(path)) continue
      const isFolder = entry.isDirectory()
      const isGit = name === '.git' || isInGit(path, repositories)
      if (isGit && !isWide) continue
      if (name === 'objects' && gitPlace(path, repositories) !== undefined) {
        note(join(path, 'info', 'alternates'))
        continue
      }
      // What lies in a worktree of the run is ignored as the worktree says.
      const isWorktree = isWide && isFolder && worktreeFolders.has(folder)
      const isIgnored =
        !isGit &&
        !isWorktree &&
        (isInIgnored || (isScratch(path, isFolder) !== undefined && isProtected?.(path) !== true))
      if (isIgnored && (!isWide || left-- <= 0)) continue
      if (isFolder) waiting.push({ path, isIgnored })
      const isSeen = () => name === '.gitignore' || !(entry.isFile() || isFolder) || isForbidden?.(path) === true
      if (isIgnored ? isSeen() : isWide || !isFolder) note(path)
    }
  }
}

/** True if the folder was locked for this user before and is open now. */
function isOpened(path: string, { kind, mode }: FileStamp): boolean {
  if (kind !== 'folder' || (mode & 0o500) === 0o500 || canLook(path)) return false
  try {
    chmodSync(diskPath(path), (mode & 0o7777) | 0o700)
    return true
  } catch {
    return false
  }
}

function canLook(path: string): boolean {
  try {
    accessSync(diskPath(path), constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Looks into ignored folders up to this many entries: a very large one would take too long. */
const MAX_IGNORED = 100_000

function isInGit(path: string, repositories: readonly CheckoutRepository[]): boolean {
  return gitPlace(path, repositories) !== undefined || /\/\.git\//.test(path)
}

export function stampAt(path: string): FileStamp | undefined {
  try {
    return new FileStamp(lstatSync(diskPath(path), { bigint: true }))
  } catch {
    return undefined
  }
}
