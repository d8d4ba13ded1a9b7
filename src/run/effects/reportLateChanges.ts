import { type RunEvent, warning } from '../../contracts/events.ts'
import { describeEffects } from '../../effects/describeEffects.ts'
import { changeablePaths } from '../../policy/explain/briefPolicy.ts'
import type { Session } from '../Session.ts'

/** The code of a warning that makes a run not green. */
export const CHANGES_UNKNOWN = 'changes_unknown'

/** Reports changes by programs that outlived their calls, if any of these changes were undone. */
export async function* reportLateChanges({ transactions, place, config }: Session): AsyncGenerator<RunEvent> {
  const { allowed } = changeablePaths(place.policy)
  for (const report of await transactions.effects.look()) {
    const message = describeEffects({ ...report, allowed }, config.cwd)
    const code = report.unknown === undefined ? 'put_back' : CHANGES_UNKNOWN
    if (message !== '') yield warning(code, message)
  }
}
