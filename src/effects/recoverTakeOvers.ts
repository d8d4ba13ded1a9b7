import { dirname, join } from 'node:path'
import type { PathChange } from '../contracts/effects.ts'
import { messageOf } from '../contracts/errors.ts'
import { abandonedFolders } from '../lib/ownedFolder.ts'
import { lifeOf } from '../lib/processIdentity.ts'
import { VIEW_PREFIX } from '../sandbox/openViews.ts'
import { removeTree } from '../sandbox/removeTree.ts'
import { readJournals, removeJournal, setAside } from './journal.ts'
import { finishSteps } from './runSteps.ts'

/** A take-over that a killed run did not finish. */
export type RecoveredTakeOver = {
  /** The tool use whose changes they are. */
  readonly by: string
  /** What it was to change. */
  readonly changes: readonly PathChange[]
  /** Left as they are: somebody has changed them since, or what was to come there is gone. Empty: it is finished. */
  readonly conflicts: readonly string[]
  /** Why the rest could not be done. */
  readonly problem?: string
}

/**
 * Finishes what killed runs were about to take over, as far as nobody has changed the same paths since, and removes their
 * views. The take-overs of runs that live, or of which nobody knows, stay. Never throws.
 */
export async function recoverTakeOvers(state: string, views: string | undefined): Promise<RecoveredTakeOver[]> {
  const recovered: RecoveredTakeOver[] = []
  for (const { file, entry } of readJournals(state)) {
    if (entry === undefined) {
      setAside(file)
      recovered.push({ by: '', changes: [], conflicts: [], problem: `${file} cannot be read` })
      continue
    }
    if (lifeOf(entry.owner) !== 'dead') continue
    const { by, changes, view, steps } = entry
    try {
      const conflicts = await finishSteps(steps, { trash: join(view, 'trash') })
      recovered.push({ by, changes, conflicts })
    } catch (error) {
      recovered.push({ by, changes, conflicts: [], problem: messageOf(error) })
    }
    removeJournal(file)
    await removeTree(view)
  }
  if (views !== undefined) await Promise.all(abandonedFolders(dirname(views), VIEW_PREFIX).map(removeTree))
  return recovered
}
