import type { RecoveredTakeOver } from '../../effects/view/recoverTakeOvers.ts'

const MAX_PATHS = 8

/** Describes how an unfinished take-over of a killed run was completed, for people. */
export function describeRecovered({ by, changes, conflicts, problem }: RecoveredTakeOver): string {
  const of =
    by === '' ? 'the changes of a run that was killed' : `the changes of ${by}, a call of a run that was killed`
  if (problem !== undefined) return `Some of ${of} may be missing. It is unknown which ones were applied: ${problem}`
  const finished = changes.map(({ path }) => path).filter((path) => !conflicts.includes(path))
  const left = conflicts.length === 0 ? '' : `. Left alone, because they have changed since: ${listOf(conflicts)}`
  return `Finished taking over ${of}: ${listOf(finished)}${left}`
}

function listOf(paths: readonly string[]): string {
  const more = paths.length - MAX_PATHS
  const shown = paths.slice(0, MAX_PATHS).join(', ')
  return paths.length === 0 ? 'nothing' : more > 0 ? `${shown} and ${more} more` : shown
}
