import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Layer } from '../views/checkoutMode.ts'
import type { OpenTar } from './openTar.ts'

/**
 * The folders of an upper folder that hide the folder below them, because they were removed and made again. The kernel
 * marks them with an extended attribute. Asks `tar` only about folders where the mark makes a difference: those that
 * lack entries of the checkout without deleting them, and the folders above these. `list` names the entries of a folder
 * of the view.
 */
export async function opaqueFolders(
  { upper, lower }: Pick<Layer, 'upper' | 'lower'>,
  tar: OpenTar,
  list: (folder: string) => readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = doubtful(upper, lower, list).filter((path) => path !== upper)
  if (asked.length === 0) return new Set()
  const marks = await tar.areOpaque(asked)
  if (marks.length !== asked.length) throw new Error(`${tar.program} does not list the folders of the view`)
  return new Set(asked.filter((_, index) => marks[index]))
}

/** A folder comes after its doubtful subfolders, and is doubtful if one of them is. */
function doubtful(upper: string, lower: string, list: (folder: string) => readonly string[]): string[] {
  const names = list(upper)
  const both = names.filter((name) => isBoth(name, upper, lower))
  const below = both.flatMap((name) => doubtful(join(upper, name), join(lower, name), list))
  if (below.length > 0) return [...below, upper]
  const there = new Set(names)
  return readdirSync(lower).some((name) => !there.has(name)) ? [upper] : []
}

function isBoth(name: string, upper: string, lower: string): boolean {
  return [upper, lower].every(
    (folder) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true,
  )
}
