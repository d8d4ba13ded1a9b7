import { dirname, join } from 'node:path'
import type { PathChange } from '../../contracts/effects.ts'
import { messageOf } from '../../contracts/errors.ts'
import { abandonedFolders } from '../../lib/fs/ownedFolder.ts'
import { processState } from '../../lib/process/processIdentity.ts'
import { VIEW_PREFIX } from '../../sandbox/views/openViews.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'
import { quarantineEntry, readJournals, removeJournal } from './journal.ts'
import { finishSteps } from './runSteps.ts'

/** A take-over that a killed run did not finish. */
export type RecoveredTakeOver = {
  /** The tool use that made the changes. */
  readonly by: string
  /** What it was to change. */
  readonly changes: readonly PathChange[]
  /** Paths left alone: changed by somebody since, or without new content. Empty: the take-over is finished. */
  readonly conflicts: readonly string[]
  /** Why the rest failed. */
  readonly problem?: string
}

/**
 * Finishes the take-overs of killed runs, except for paths that somebody changed since, and removes their views. Leaves
 * the take-overs of live runs, and of runs in an unknown state, alone. Never throws.
 */
export async function recoverTakeOvers(state: string, views: string | undefined): Promise<RecoveredTakeOver[]> {
  const recovered: RecoveredTakeOver[] = []
  for (const { file, entry } of readJournals(state)) {
    if (entry === undefined) {
      quarantineEntry(file)
      recovered.push({ by: '', changes: [], conflicts: [], problem: `${file} cannot be read` })
      continue
    }
    if (processState(entry.owner) !== 'dead') continue
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
