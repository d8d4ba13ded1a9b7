import { lstatSync, opendirSync } from 'node:fs'
import { fitsGlob } from './fitsGlob.ts'

/** How many directory entries may still be looked at; below zero there were too many. */
export type Budget = { left: number }

/** What is met on the way of a glob through the folders on disk. */
export type GlobVisitor = {
  /** A link that the glob leads through, and what of the glob follows it. */
  link?(path: string, rest: string): void
  /** A path that the whole glob fits; a link is not followed. */
  path?(path: string, isFolder: boolean): void
}

export type Entry = { readonly name: string; readonly isLink: boolean; readonly isFolder: boolean }

/** Walks a glob below a folder as the shell would, into links too. Looks at names alone and opens no file. */
export function walkGlob(folder: string, glob: string, budget: Budget, visitor: GlobVisitor): void {
  const parts = glob.split('/').filter((part) => part !== '' && part !== '.')
  visit(folder, parts, budget, visitor)
}

function visit(folder: string, parts: readonly string[], budget: Budget, visitor: GlobVisitor): void {
  const [part, ...rest] = parts
  if (part === undefined) return
  for (const { name, isLink, isFolder } of entriesFor(folder, part, budget)) {
    const path = `${folder === '/' ? '' : folder}/${name}`
    if (isLink || isOdd(name)) visitor.link?.(path, rest.join('/'))
    if (rest.length === 0) visitor.path?.(path, isFolder)
    else if (isLink || isFolder) visit(path, rest, budget, visitor)
  }
}

function entriesFor(folder: string, part: string, budget: Budget): readonly Entry[] {
  if (!/[*?[]/.test(part)) return entryOf(folder, part, budget)
  return listFolder(folder, budget).filter(({ name }) => fitsGlob(name, part) && !isHidden(name, part))
}

function entryOf(folder: string, name: string, budget: Budget): readonly Entry[] {
  budget.left -= 1
  if (budget.left < 0) return []
  if (name === '..') return [{ name, isLink: false, isFolder: true }]
  const found = quietly(() => lstatSync(`${folder}/${name}`, { throwIfNoEntry: false }))
  return found ? [{ name, isLink: found.isSymbolicLink(), isFolder: found.isDirectory() }] : []
}

/** The entries of a folder, as far as the budget goes; none of what is no folder or is closed to us. */
export function listFolder(folder: string, budget: Budget): readonly Entry[] {
  const handle = budget.left < 0 ? undefined : quietly(() => opendirSync(folder, { bufferSize: 1_024 }))
  if (handle === undefined) return []
  const found: Entry[] = []
  try {
    for (let next = handle.readSync(); next !== null && budget.left >= 0; next = handle.readSync()) {
      budget.left -= 1
      found.push({ name: next.name, isLink: next.isSymbolicLink(), isFolder: next.isDirectory() })
    }
  } finally {
    handle.closeSync()
  }
  return found
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** A name that is no UTF-8: what it names cannot be found again. */
export function isOdd(name: string): boolean {
  return name.includes('\ufffd')
}

/** As in bash, no wildcard stands for a dot in front. */
function isHidden(name: string, part: string): boolean {
  return name.startsWith('.') && !part.startsWith('.')
}
