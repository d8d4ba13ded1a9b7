import { join, relative } from 'node:path'
import { resultBeforeAbort } from '../../lib/async/resultBeforeAbort.ts'
import { namesFile } from '../../policy/paths/judgePath.ts'
import type { Session } from '../Session.ts'
import { changedCheckInputs } from './changedCheckInputs.ts'

/**
 * Inputs of the checks that the run changed, relative to the project root; undefined if the run was told to end
 * meanwhile.
 */
export async function runChangedInputs(session: Session): Promise<readonly string[] | undefined> {
  const { config, policy, home, checkout, transactions, signal } = session
  const report = await resultBeforeAbort(transactions.account.report(), signal)
  const changes = report?.changes.map(({ path }) => ({ path: relative(config.cwd, join(checkout.top, path)) }))
  const place = { policy, home, workingDirectories: [config.cwd] }
  const isNamed = (path: string) => namesFile(place, join(config.cwd, path))
  return changes && changedCheckInputs(policy.settings.checks, changes, isNamed)
}
