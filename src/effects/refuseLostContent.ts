import { lstatSync } from 'node:fs'
import { basename } from 'node:path'
import { isSameFile } from './isSameFile.ts'
import type { JudgedChange, PathStates } from './JudgeChanges.ts'

/** More pairs of files are not compared. */
const MOST_PAIRS = 10_000

/**
 * Refuses to delete a file whose content is in a new file that is left out: a command that moved it there would lose it.
 * Empty files have nothing to lose.
 */
export async function refuseLostContent(
  judged: readonly JudgedChange[],
  states: PathStates,
): Promise<readonly JudgedChange[]> {
  const leftOut = judged.filter(({ change, verdict }) => verdict.kind === 'refused' && isFile(change, 'created'))
  if (leftOut.length === 0) return judged
  const bySize = new Map<number, string[]>()
  for (const { change } of leftOut) {
    const size = sizeOf(states.now(change.path))
    if (size > 0) bySize.set(size, [...(bySize.get(size) ?? []), change.path])
  }
  let pairs = 0
  const newPlaceOf = async (path: string): Promise<string | undefined> => {
    const before = states.before(path)
    const size = before === undefined ? 0 : sizeOf(before)
    for (const place of bySize.get(size) ?? []) {
      pairs += 1
      if (pairs > MOST_PAIRS) return place
      if (before !== undefined && (await isSameFile(before, states.now(place), size))) return place
    }
    return undefined
  }
  const result: JudgedChange[] = []
  for (const each of judged) {
    const isLost = isFile(each.change, 'deleted') && ['covered', 'scratch'].includes(each.verdict.kind)
    const place = isLost ? await newPlaceOf(each.change.path) : undefined
    result.push(place === undefined ? each : { ...each, verdict: { kind: 'refused', why: lostAt(place) } })
  }
  return result
}

function lostAt(place: string): string {
  return `it was moved to ${basename(place)}, which is left out, and its content would be lost`
}

function isFile({ kind, entry }: JudgedChange['change'], wanted: 'created' | 'deleted'): boolean {
  return kind === wanted && entry === 'file'
}

function sizeOf(path: string): number {
  try {
    const stat = lstatSync(path)
    return stat.isFile() ? stat.size : 0
  } catch {
    return 0
  }
}
