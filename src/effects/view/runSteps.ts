import { lchownSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasCode } from '../../files/toFileError.ts'
import { type FolderHandle, holdFolders, removeEntry, setMode } from '../../lib/fs/openFolderHandle.ts'
import { orElse } from '../../lib/orElse.ts'
import { isSameFile } from '../isSameFile.ts'
import { copyInto } from '../watch/copyInto.ts'
import { type Identity, identityOf, type Owned, type TakeOverStep } from './takeOverSteps.ts'

export type StepPlace = {
  /** A folder beside the view's, for new folders and for what was removed or replaced. */
  readonly trash: string
  /** Gets what reverses each step, before it is done. Throws if that is not possible. */
  readonly undo?: Undo[] | undefined
  /** Called before every step and after the last. */
  readonly onStep?: ((index: number) => void) | undefined
}

export type Undo = { readonly path: string; run(folder: FolderHandle, name: string): void }

/** Performs the steps one after the other. Throws at the first failure; earlier steps stay done. */
export async function runSteps(steps: readonly TakeOverStep[], { trash, undo, onStep }: StepPlace): Promise<void> {
  const folders = holdFolders()
  try {
    for (const [index, step] of steps.entries()) {
      onStep?.(index)
      const folder = folders.hold(dirname(step.path))
      undo?.push({ path: step.path, run: undoOf(step, folder, join(trash, String(index))) })
      await runStep(step, folder, join(trash, String(index)))
    }
    onStep?.(steps.length)
  } finally {
    folders.close()
  }
}

/** Reverses steps, the last one first. Returns the paths where that failed: they stay as the step left them. */
export function undoSteps(undo: readonly Undo[]): string[] {
  const folders = holdFolders()
  const failed = undo.toReversed().flatMap(({ path, run }) => {
    try {
      run(folders.hold(dirname(path)), basename(path))
      return []
    } catch {
      return [path]
    }
  })
  folders.close()
  return failed
}

/**
 * What reverses a step that is about to be done; it does nothing if the step was not done, and throws if it cannot tell.
 * A file that will be replaced gets a second name in `trash`, where one file system has both.
 */
function undoOf(step: TakeOverStep, folder: FolderHandle, trash: string): Undo['run'] {
  const old = statOf(folder.entry(basename(step.path)))
  const second = `${trash}.old`
  if (step.kind === 'put' && old !== undefined) keepName(folder.entry(basename(step.path)), second)
  return (now, name) => {
    if (step.kind === 'mode') return old && setOwned(now.entry(name), { ...old, mode: old.mode & 0o7777 })
    if (isDone(step, old, statOf(now.entry(name)), trash)) {
      if (old === undefined) removeEntry(now, name)
      else moveUnlocked(step.kind === 'put' ? second : trash, now.entry(name))
    } else if (step.kind === 'put') rmSync(second, { force: true })
  }
}

/** A file that somebody else made meanwhile is not of the step. Across file systems, a folder is removed bit by bit. */
function isDone(step: TakeOverStep, old: Stats | undefined, there: Stats | undefined, trash: string): boolean {
  if (old?.ino === there?.ino && old?.dev === there?.dev) {
    const isMoved = statOf(dirname(trash))?.dev === old?.dev
    if (step.kind === 'remove' && old?.isDirectory() === true && !isMoved) throw new Error('it may be removed in part')
    return false
  }
  const from = step.kind === 'put' ? statOf(step.from) : undefined
  return from === undefined || from.dev !== there?.dev
}

function keepName(path: string, kept: string): void {
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 })
    linkSync(path, kept)
  } catch {
    // Another file system, or no right to link it: replacing it cannot be undone.
  }
}

/** Performs the steps that a killed run left. Returns the paths left alone: somebody has changed them since. */
export async function finishSteps(steps: readonly TakeOverStep[], place: StepPlace): Promise<string[]> {
  const conflicts: string[] = []
  const last = new Map(steps.map(({ path }, index) => [path, index]))
  // Locked folders are opened for the steps in them, the outer ones first. Their own step comes last and locks them again.
  for (const step of steps.toReversed())
    if (step.kind === 'mode' && statOf(step.path)?.isDirectory() === true)
      await runSteps([{ ...step, mode: step.mode | 0o700 }], place)
  for (const [index, step] of steps.entries()) {
    const state = await stateOf(step, (last.get(step.path) ?? index) > index)
    if (state === 'open') await runSteps([step], { ...place, trash: join(place.trash, `again-${index}`) })
    if (state === 'conflict') conflicts.push(step.path)
  }
  return conflicts
}

/** The first path that changed since the view was read. */
export function firstConflict(steps: readonly TakeOverStep[]): string | undefined {
  const removed = new Set<string>()
  const found = steps.find((step) => {
    if (step.kind === 'remove') removed.add(step.path)
    const isFree = step.kind === 'folder' || (step.kind !== 'remove' && step.before === null)
    if (isFree && (removed.has(step.path) || step.kind === 'mode')) return false
    return !isSame(isFree ? null : step.before, step.path)
  })
  return found?.path
}

/** A path that something else replaces may still exist; the replacing step checks it. */
async function stateOf(step: TakeOverStep, isMadeLater: boolean): Promise<'done' | 'open' | 'conflict'> {
  const there = statOf(step.path)
  switch (step.kind) {
    case 'mode':
      return there === undefined ? 'conflict' : 'open'
    case 'folder':
      return there?.isDirectory() ? 'done' : there === undefined ? 'open' : 'conflict'
    case 'remove':
      if (there === undefined) return 'done'
      if (isSame(step.before, step.path)) return 'open'
      return isMadeLater ? 'done' : 'conflict'
    case 'put': {
      const from = statOf(step.from)
      if (from === undefined) return there === undefined ? 'conflict' : 'done'
      if (isSame(step.before, step.path)) return 'open'
      const isCopied = from.isFile() && there?.size === from.size && (await isSameFile(step.from, step.path, from.size))
      return isCopied ? 'done' : 'conflict'
    }
  }
}

async function runStep(step: TakeOverStep, folder: FolderHandle, trash: string): Promise<void> {
  const name = basename(step.path)
  switch (step.kind) {
    case 'remove':
      return remove(folder, name, trash)
    case 'folder':
      return makeFolder(folder, name, { ...step, made: trash })
    case 'mode':
      return setOwned(folder.entry(name), step)
    case 'put':
      return put(folder, name, step.from)
  }
}

/** Made beside the view and moved when it has its mode: after a kill it is not there, or complete. */
function makeFolder(folder: FolderHandle, name: string, { made, ...owned }: Owned & { readonly made: string }) {
  mkdirSync(made, { recursive: true, mode: 0o700 })
  setOwned(made, { ...owned, mode: owned.mode | 0o700 })
  return put(folder, name, made)
}

function remove(folder: FolderHandle, name: string, trash: string): void {
  mkdirSync(dirname(trash), { recursive: true, mode: 0o700 })
  if (!wasMoved(folder.entry(name), trash)) removeEntry(folder, name)
}

async function put(folder: FolderHandle, name: string, from: string): Promise<void> {
  if (!wasMoved(from, folder.entry(name))) await copyInto(from, folder, name)
}

/** False if the places are on two file systems. */
function wasMoved(from: string, to: string): boolean {
  try {
    moveUnlocked(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EXDEV')) return false
    throw error
  }
}

/** Moving a folder rewrites its `..`, so its owner needs write permission. */
function moveUnlocked(from: string, to: string): void {
  const stat = lstatSync(from)
  const isLocked = stat.isDirectory() && (stat.mode & 0o200) === 0
  if (isLocked) setOwned(from, { ...stat, mode: (stat.mode & 0o7777) | 0o200 })
  renameSync(from, to)
  if (isLocked) setOwned(to, { ...stat, mode: stat.mode & 0o7777 })
}

/** Owner first: a change of owner clears the set-user-id bits. Only root may change the owner. */
function setOwned(path: string, { mode, uid, gid }: Owned): void {
  if (process.getuid?.() === 0) lchownSync(path, uid, gid)
  setMode(path, mode)
}

function isSame(expected: Identity, path: string): boolean {
  const now = identityOf(statOf(path))
  if (expected === null || now === null) return expected === now
  return expected.ino === now.ino && expected.size === now.size && expected.changed === now.changed
}

function statOf(path: string): Stats | undefined {
  return orElse(undefined, () => lstatSync(path, { throwIfNoEntry: false }))
}
