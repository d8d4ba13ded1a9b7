import { type BigIntStats, lstatSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckoutRepository } from './findRepositories.ts'
import { gitPlace } from './gitPlace.ts'
import type { FindScratch } from './scratchLookup.ts'

/** What stands at a path: the same word as before means that nothing touched it. */
export type FileStamp = { readonly word: string; readonly stat: BigIntStats }

/** Files, links and what else is no folder, by absolute path. */
export type Survey = ReadonlyMap<string, FileStamp>

export type SurveyOptions = {
  readonly roots: readonly string[]
  readonly repositories: readonly CheckoutRepository[]
  readonly isScratch: FindScratch
  /** True for what is looked at as well, though it is git's own. */
  isMeant?(path: string): boolean
}

/** Looks at every path that git does not ignore, `.git` folders left out. Follows no link, and opens nothing. */
export async function surveyFiles(options: SurveyOptions): Promise<Survey> {
  const { roots, repositories, isScratch, isMeant = () => false } = options
  const found = new Map<string, FileStamp>()
  const waiting = [...roots]
  const isGit = (path: string, name: string) => name === '.git' || gitPlace(path, repositories) !== undefined
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory()
      if (isGit(path, entry.name) ? !isMeant(path) : isScratch(path, isFolder) !== undefined) continue
      if (isFolder) waiting.push(path)
      else {
        const stamp = stampAt(path)
        if (stamp !== undefined) found.set(path, stamp)
      }
    }
  }
  return found
}

export function stampAt(path: string): FileStamp | undefined {
  try {
    const stat = lstatSync(path, { bigint: true })
    const { size, mtimeNs, ctimeNs, ino, mode } = stat
    return { word: [size, mtimeNs, ctimeNs, ino, mode].join(' '), stat }
  } catch {
    return undefined
  }
}
