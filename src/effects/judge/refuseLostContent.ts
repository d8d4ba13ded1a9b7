import { lstatSync } from 'node:fs'
import { basename } from 'node:path'
import type { ChangeVerdict, PathChange } from '../../contracts/effects.ts'
import { orElse } from '../../lib/orElse.ts'
import { isSameFile } from '../isSameFile.ts'
import { isKept, type JudgedChange, type PathStates } from './JudgeChanges.ts'

/** More pairs of files are not compared. */
const MAX_PAIRS = 10_000

/**
 * Refuses deletions next to new files that are not kept: a command may have moved a file there, and its content would
 * be lost. If a rule covers the deletion, it stands only if a kept new file has the content. Ignored files and git's
 * own are refused only if a file that is not kept has their content. Empty files have nothing to lose.
 */
export async function refuseLostContent(
  judged: readonly JudgedChange[],
  states: PathStates,
  isGit: (change: PathChange) => boolean,
): Promise<readonly JudgedChange[]> {
  const made = (isChosen: (verdict: ChangeVerdict) => boolean) =>
    judged.flatMap(({ change, verdict }) => {
      const size = isChosen(verdict) && isFile(change, 'created') ? sizeOf(states.now(change.path)) : 0
      return size > 0 ? [{ path: change.path, size }] : []
    })
  const leftOut = made(({ kind }) => kind === 'refused')
  const [first] = leftOut
  if (first === undefined) return judged
  const kept = made(isKept)
  let pairs = 0
  const holderOf = async (before: string, size: number, places: typeof leftOut): Promise<string | undefined> => {
    for (const place of places) {
      if (place.size !== size) continue
      pairs += 1
      if (pairs > MAX_PAIRS || (await isSameFile(before, states.now(place.path), size))) return place.path
    }
    return undefined
  }
  const lossOf = async ({ change, verdict }: JudgedChange): Promise<string | undefined> => {
    // What git ignores has no other state than the present one.
    const old = states.before(change.path) ?? change.path
    const before = isKept(verdict) && isFile(change, 'deleted') ? old : undefined
    const size = before === undefined ? 0 : sizeOf(before)
    if (before === undefined || size === 0) return undefined
    const place = await holderOf(before, size, leftOut)
    if (place !== undefined)
      return `it was moved to ${basename(place)}, which was not kept, so its content would be lost`
    if (verdict.kind === 'scratch' || isGit(change) || (await holderOf(before, size, kept)) !== undefined)
      return undefined
    return `the new ${basename(first.path)}, which was not kept, may hold its content; delete it in a separate command`
  }
  const result: JudgedChange[] = []
  for (const each of judged) {
    const why = await lossOf(each)
    result.push(why === undefined ? each : { ...each, verdict: { kind: 'refused', why } })
  }
  return result
}

function isFile({ kind, entry }: PathChange, wanted: 'created' | 'deleted'): boolean {
  return kind === wanted && entry === 'file'
}

function sizeOf(path: string): number {
  return orElse(0, () => {
    const stat = lstatSync(path)
    return stat.isFile() ? stat.size : 0
  })
}
