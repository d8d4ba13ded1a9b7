import { type BigIntStats, lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckoutRepository } from './findRepositories.ts'
import { gitPlace } from './gitPlace.ts'
import type { FindScratch } from './scratchLookup.ts'

/** What stands at a path: the same word as before means that nothing touched it. */
export type FileStamp = { readonly word: string; readonly stat: BigIntStats }

/** By absolute path, a folder before what is in it. */
export type Survey = ReadonlyMap<string, FileStamp>

export type SurveyOptions = {
  readonly roots: readonly string[]
  readonly repositories: readonly CheckoutRepository[]
  readonly isScratch: FindScratch
  /** Files and folders that are left out. Absolute and resolved. */
  readonly own?: readonly string[] | undefined
  /**
   * Looks into `.git` folders too, all but their objects, and at folders, ignore files, and what of ignored folders could
   * never be kept: repositories, links, devices. Without it, only files and links that git does not ignore are listed.
   */
  readonly isWide?: boolean
}

/** Follows no link, and opens nothing. */
export async function surveyFiles(options: SurveyOptions): Promise<Survey> {
  const { roots, repositories, isScratch, isWide = false, own = [] } = options
  const found = new Map<string, FileStamp>()
  const waiting = roots.map((path) => ({ path, isIgnored: false }))
  const note = (path: string) => {
    const stamp = stampAt(path)
    if (stamp !== undefined) found.set(path, stamp)
  }
  let left = MOST_IGNORED
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path: folder, isIgnored: isInIgnored } = next
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name)
      if (own.includes(path)) continue
      const isFolder = entry.isDirectory()
      const isGit = entry.name === '.git' || isInGit(path, repositories)
      if (isGit && !isWide) continue
      if (isGit && entry.name === 'objects') {
        note(join(path, 'info', 'alternates'))
        continue
      }
      const isIgnored = !isGit && (isInIgnored || isScratch(path, isFolder) !== undefined)
      if (isIgnored && (!isWide || left-- <= 0)) continue
      if (isFolder) waiting.push({ path, isIgnored })
      const isListed = isIgnored ? entry.name === '.gitignore' || !(entry.isFile() || isFolder) : isWide || !isFolder
      if (isListed) note(path)
    }
  }
  return found
}

/** Ignored folders are looked into for as many entries: a very large one is not worth the time. */
const MOST_IGNORED = 100_000

function isInGit(path: string, repositories: readonly CheckoutRepository[]): boolean {
  return gitPlace(path, repositories) !== undefined || /\/\.git\//.test(path)
}

/** Of a folder only what it is: its times change with what is in it. */
export function stampAt(path: string): FileStamp | undefined {
  try {
    const stat = lstatSync(path, { bigint: true })
    const { size, mtimeNs, ctimeNs, ino, mode } = stat
    return { word: stat.isDirectory() ? `folder ${mode}` : [size, mtimeNs, ctimeNs, ino, mode].join(' '), stat }
  } catch {
    return undefined
  }
}
