import { chmodSync, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { PathChange } from '../../contracts/effects.ts'
import { LOST } from '../../lib/fs/diskPath.ts'
import { opaqueFolders } from '../../sandbox/mounts/opaqueFolders.ts'
import type { OpenTar } from '../../sandbox/mounts/openTar.ts'
import type { Layer } from '../../sandbox/views/checkoutMode.ts'
import { changeOf, entryKind } from '../changeOf.ts'
import { isSameFile } from '../isSameFile.ts'

/** A path of a view whose folders are still to be compared, or that differs from the checkout. */
export type ChangedEntry = {
  /** In the checkout. */
  readonly path: string
  /** Where it is in the upper folder; undefined if it was only deleted. */
  readonly upper: string | undefined
  /** Its state in the view, before anything was unlocked for reading. */
  readonly stat: Stats | undefined
  /** Its state in the checkout. */
  readonly lower: Stats | undefined
  /** Empty for a folder that only contains changes. A replacement by another kind is `deleted` and `created`. */
  readonly changes: readonly PathChange[]
  readonly children: readonly ChangedEntry[]
  /** A folder that was removed and created again: nothing of the old one shows through. */
  readonly isOpaque: boolean
  /** Why nobody can judge it. */
  readonly obstacle?: string
}

/**
 * A command's changes, as a tree from the root of a layer. All its processes must have ended. A file that was rewritten
 * with the same bytes, link and mode has not changed, whatever its times are. Throws if the view cannot be read.
 */
export async function readUpper({ lower, upper }: Layer, tar: OpenTar): Promise<ChangedEntry> {
  const reader = createUpperReader()
  const opaque = await opaqueFolders({ upper, lower }, tar, reader.list)
  const root = { path: lower, upper, stat: reader.stat(upper), lower: lstatSync(lower) }
  return createComparison(opaque, reader)(root)
}

/** All changes of a tree, each folder before its content. */
export function listChanges(entry: ChangedEntry): PathChange[] {
  return [...entry.changes, ...entry.children.flatMap(listChanges)]
}

/** The command may have locked its own folders. They are unlocked for reading, and still reported as they were. */
function createUpperReader() {
  const modes = new Map<string, number>()
  return {
    stat(path: string): Stats {
      const stat = lstatSync(path)
      stat.mode = modes.get(path) ?? stat.mode
      return stat
    },
    list(folder: string): readonly string[] {
      const { mode } = lstatSync(folder)
      if ((mode & 0o700) !== 0o700) {
        modes.set(folder, mode)
        chmodSync(folder, (mode & 0o7777) | 0o700)
      }
      return readdirSync(folder).sort()
    },
  }
}

/** An entry in both places. */
type Both = Readonly<Record<'path' | 'upper', string> & Record<'stat' | 'lower', Stats>>

/** What is said of an entry unless it is otherwise. */
const PLAIN = { upper: undefined, stat: undefined, lower: undefined, children: [], isOpaque: false } as const

function createComparison(opaque: ReadonlySet<string>, reader: ReturnType<typeof createUpperReader>) {
  const compareFolders = async (both: Both, isInOpaque = false): Promise<ChangedEntry> => {
    const { path, upper, stat, lower } = both
    const isOpaque = isInOpaque || opaque.has(upper)
    const names = reader.list(upper)
    const children: ChangedEntry[] = []
    for (const name of names) children.push(...(await compareEntry(upper, path, { name, isInOpaque: isOpaque })))
    if (isOpaque) {
      const there = new Set(names)
      children.push(...readdirSync(path).flatMap((name) => (there.has(name) ? [] : deletedEntry(join(path, name)))))
    }
    const changes = isSameMode(stat, lower) ? [] : [changeOf(path, 'mode', stat.mode)]
    return { ...both, changes, children, isOpaque }
  }
  const compareEntry = async (
    upperFolder: string,
    folder: string,
    { name, isInOpaque }: { readonly name: string; readonly isInOpaque: boolean },
  ): Promise<ChangedEntry[]> => {
    const path = join(folder, name)
    // Exactly one entry may decode to this name.
    if (path.includes(LOST)) return [unnameable(path, readdirSync(folder).includes(name) ? 'modified' : 'created')]
    const upper = join(upperFolder, name)
    const stat = reader.stat(upper)
    const lower = statOf(path)
    if (isWhiteout(stat)) return deletedEntry(path)
    if (lower === undefined) return createdEntry(path, upper)
    const kind = entryKind(stat.mode)
    if (kind !== entryKind(lower.mode)) return createdEntry(path, upper).map((entry) => replacedEntry(entry, lower))
    const both = { path, upper, stat, lower }
    if (kind === 'folder') {
      const entry = await compareFolders(both, isInOpaque)
      return entry.changes.length + entry.children.length + (entry.isOpaque ? 1 : 0) > 0 ? [entry] : []
    }
    const isSame = await isSameEntry(both)
    if (isSame && isSameMode(stat, lower)) return []
    const details = { before: lower.mode, target: targetOf(upper, stat) }
    const changes = [changeOf(path, isSame ? 'mode' : 'modified', stat.mode, details)]
    return [{ ...PLAIN, ...both, changes }]
  }
  /** With all that is in it. A deletion below a folder that never existed has no effect. */
  const createdEntry = (path: string, upper: string): ChangedEntry[] => {
    if (path.includes(LOST)) return [unnameable(path, 'created')]
    const stat = reader.stat(upper)
    if (isWhiteout(stat)) return []
    const names = stat.isDirectory() ? reader.list(upper) : []
    const children = names.flatMap((name) => createdEntry(join(path, name), join(upper, name)))
    const changes = [changeOf(path, 'created', stat.mode, { target: targetOf(upper, stat) })]
    return [{ ...PLAIN, path, upper, stat, changes, children }]
  }
  return compareFolders
}

async function isSameEntry({ path, upper, stat, lower }: Both): Promise<boolean> {
  if (stat.isFile()) return stat.size === lower.size && (await isSameFile(upper, path, stat.size))
  if (stat.isSymbolicLink()) return readlinkSync(upper) === readlinkSync(path)
  return stat.rdev === lower.rdev
}

function replacedEntry(created: ChangedEntry, lower: Stats): ChangedEntry {
  const [gone] = deletedEntry(created.path)
  return {
    ...created,
    lower,
    changes: [...(gone?.changes ?? []), ...created.changes],
    children: [...(gone?.children ?? []), ...created.children],
  }
}

/** Each path below a deleted folder is a change of its own. */
function deletedEntry(path: string): ChangedEntry[] {
  const lower = statOf(path)
  if (lower === undefined) return []
  const children = lower.isDirectory() ? readdirSync(path).flatMap((name) => deletedEntry(join(path, name))) : []
  return [{ ...PLAIN, path, lower, changes: [changeOf(path, 'deleted', lower.mode)], children }]
}

/** A name that is not UTF-8 cannot be distinguished from others, so no rule can cover it. */
function unnameable(path: string, kind: PathChange['kind']): ChangedEntry {
  return { ...PLAIN, path, changes: [{ path, kind, entry: 'file' }], obstacle: 'its name is not UTF-8' }
}

function targetOf(upper: string, stat: Stats): string | undefined {
  return stat.isSymbolicLink() ? readlinkSync(upper) : undefined
}

function isSameMode(one: Stats, other: Stats): boolean {
  if (one.uid !== other.uid || one.gid !== other.gid) return false
  return one.isSymbolicLink() || (one.mode & 0o7777) === (other.mode & 0o7777)
}

/** A deleted name: a character device 0:0, which nobody can create in a view. */
function isWhiteout(stat: Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === 0
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}
