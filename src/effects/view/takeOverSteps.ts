import type { Stats } from 'node:fs'
import type { ChangeVerdict, PathChange } from '../../contracts/effects.ts'
import { isKept } from '../judge/JudgeChanges.ts'
import type { ChangedEntry } from './readUpper.ts'

/** Identifies a file; null: nothing is there. A folder is identified by its inode alone. */
export type Identity = { readonly ino: number; readonly size: number; readonly changed: number } | null

export type Owned = Readonly<Pick<Stats, 'mode' | 'uid' | 'gid'>>

/** One step of a take-over. Each is atomic if view and checkout are on one file system. */
export type TakeOverStep =
  /** Removes what is there; a folder as a whole. */
  | { readonly kind: 'remove'; readonly path: string; readonly before: Identity }
  /** Creates an empty folder with its own mode and owner. */
  | ({ readonly kind: 'folder'; readonly path: string } & Owned)
  /** Moves a file, a link or a whole new folder from the view, replacing an existing file. */
  | { readonly kind: 'put'; readonly path: string; readonly from: string; readonly before: Identity }
  /** `before` is null for a new folder. */
  | ({ readonly kind: 'mode'; readonly path: string; readonly before: Identity } & Owned)

export type Verdicts = (change: PathChange) => ChangeVerdict

/** The order within a take-over; 0 is first. */
export type TakeOverOrder = (path: string) => number

/** Fewer changes than this are taken over one by one, so that the folder itself stays in place. */
const MANY = 64

/**
 * The steps that bring changes judged `covered` or `scratch` into the checkout. First they remove what something else
 * replaces. Then come folders, files in the given order, deletions in reverse order, and finally modes, which may lock
 * folders. A new folder that is taken over completely is one step.
 */
export function takeOverSteps(root: ChangedEntry, verdictOf: Verdicts, order: TakeOverOrder): TakeOverStep[] {
  const phases = { clear: [], folder: [], put: [], mode: [], remove: [] } as Record<Phase, TakeOverStep[]>
  visit(root, verdictOf, (phase, step) => phases[phase].push(step))
  const byOrder = (one: TakeOverStep, other: TakeOverStep) => order(one.path) - order(other.path)
  return [
    ...phases.clear,
    ...phases.folder,
    ...phases.put.sort(byOrder),
    ...phases.remove.sort((one, other) => byOrder(other, one)),
    ...phases.mode.reverse(),
  ]
}

type Phase = 'clear' | 'folder' | 'put' | 'mode' | 'remove'
type Add = (phase: Phase, step: TakeOverStep) => void

function visit(entry: ChangedEntry, verdictOf: Verdicts, add: Add): void {
  const { path, upper, stat } = entry
  const isTaken = (change: PathChange | undefined) => change !== undefined && isKept(verdictOf(change))
  const changeOf = (kind: PathChange['kind']) => entry.changes.find((change) => change.kind === kind)
  const isGone = isTaken(changeOf('deleted'))
  const before = identityOf(entry.lower)
  if (upper === undefined || stat === undefined) {
    if (isGone && isWhole(entry, verdictOf)) add('remove', { kind: 'remove', path, before })
    else for (const child of entry.children) visit(child, verdictOf, add)
    return
  }
  const isFolder = stat.isDirectory()
  const put = (over: Identity) => {
    add('put', { kind: 'put', path, from: upper, before: over })
    addLocks(entry, add)
  }
  if (changeOf('created') !== undefined) {
    if (isGone) add('clear', { kind: 'remove', path, before })
    if (isFolder && !isWhole(entry, verdictOf)) makeAndVisit(entry, verdictOf, add)
    else if (isTaken(changeOf('created'))) put(isGone ? null : before)
    return
  }
  if (isFolder && entry.isOpaque && isLarge(entry) && isWhole(entry, verdictOf)) {
    add('clear', { kind: 'remove', path, before })
    put(null)
    return
  }
  if (isTaken(changeOf('modified'))) put(before)
  if (isTaken(changeOf('mode'))) add('mode', { kind: 'mode', path, before, ...ownedOf(stat) })
  for (const child of entry.children) visit(child, verdictOf, add)
}

/** A new folder that is kept only in part; it is not created without kept content. */
function makeAndVisit(entry: ChangedEntry, verdictOf: Verdicts, add: Add): void {
  const { path, stat, children } = entry
  if (stat === undefined || !makesAny(entry, verdictOf)) return
  add('folder', { kind: 'folder', path, ...ownedOf(stat) })
  if (isLocked(stat)) add('mode', { kind: 'mode', path, before: null, ...ownedOf(stat) })
  for (const child of children) visit(child, verdictOf, add)
}

/** Folders of the view were unlocked for reading. */
function addLocks({ path, upper, stat, children }: ChangedEntry, add: Add): void {
  if (upper === undefined || stat?.isDirectory() !== true) return
  if (isLocked(stat)) add('mode', { kind: 'mode', path, before: null, ...ownedOf(stat) })
  for (const child of children) addLocks(child, add)
}

function isLocked(stat: Stats): boolean {
  return (stat.mode & 0o700) !== 0o700
}

/** True if something new in a tree is kept. */
function makesAny({ changes, children }: ChangedEntry, verdictOf: Verdicts): boolean {
  const isMade = changes.some((change) => change.kind === 'created' && isKept(verdictOf(change)))
  return isMade || children.some((child) => makesAny(child, verdictOf))
}

/** True if every path of a tree is to be taken over unchanged. */
function isWhole({ changes, children }: ChangedEntry, verdictOf: Verdicts): boolean {
  const isTaken = changes.every((change) => isKept(verdictOf(change)))
  return isTaken && children.every((child) => isWhole(child, verdictOf))
}

function isLarge({ children }: ChangedEntry): boolean {
  let left = MANY
  const count = (entries: readonly ChangedEntry[]): void => {
    for (const entry of entries) {
      left -= entry.changes.length
      if (left > 0) count(entry.children)
    }
  }
  count(children)
  return left <= 0
}

function ownedOf({ mode, uid, gid }: Stats): Owned {
  return { mode: mode & 0o7777, uid, gid }
}

export function identityOf(stat: Stats | undefined): Identity {
  if (stat === undefined) return null
  if (stat.isDirectory()) return { ino: stat.ino, size: 0, changed: 0 }
  return { ino: stat.ino, size: stat.size, changed: stat.mtimeMs }
}
