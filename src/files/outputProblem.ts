import { lstatSync, statSync, unlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { messageOf } from '../contracts/errors.ts'
import { isWithin } from '../lib/fs/isWithin.ts'

/**
 * Why a file that the user named cannot be written at the end of the run, if that is certain now. Inside `shared`, the
 * run may still create a folder.
 */
export function outputProblem(path: string, shared: readonly string[]): string | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return 'it is a folder'
    const folder = dirname(resolve(path))
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return undefined
    return shared.some((place) => isWithin(folder, place)) ? undefined : `there is no folder ${folder}`
  } catch (error) {
    return messageOf(error)
  }
}

/** Removes an output of an earlier run. Throws if something else is there than a regular file. */
export function removeOutput(path: string): void {
  const known = lstatSync(path, { throwIfNoEntry: false })
  if (known?.isFile() === false) throw new Error('it is there, and no regular file')
  if (known !== undefined) unlinkSync(path)
}
