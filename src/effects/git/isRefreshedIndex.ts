import type { PathChange } from '../../contracts/effects.ts'
import { differingEntries, parseGitIndex } from '../../git/repository/gitIndex.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import type { PathStates } from '../judge/JudgeChanges.ts'

/**
 * True for the index of a repository inside the checkout that was rewritten with the same entries, as `git status`
 * does.
 */
export function isRefreshedIndex({ path, kind }: PathChange, states: PathStates): boolean {
  if (kind !== 'modified' || !/\/\.git\/(?:.*\/)?index$/.test(path)) return false
  const [before, now] = [states.before(path), states.now(path)].map((file) => readRegular(file))
  if (before === undefined || now === undefined) return false
  return [20, 32].some((oidBytes) => {
    const [old, young] = [parseGitIndex(before, oidBytes), parseGitIndex(now, oidBytes)]
    return old !== undefined && young !== undefined && differingEntries(old, young).length === 0
  })
}
