import { join, relative } from 'node:path'
import type { FileChange } from '../../contracts/events.ts'
import type { ChecksSettings } from '../../contracts/settings.ts'
import { resultBeforeAbort } from '../../lib/async/resultBeforeAbort.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'
import { checkInputs } from '../../policy/checkInputs.ts'
import { namesFile } from '../../policy/paths/judgePath.ts'
import type { Session } from '../Session.ts'

/** Inputs of the checks that the run changed, relative to the project root; none if it was told to end meanwhile. */
export async function runChangedInputs(session: Session): Promise<readonly string[]> {
  const { config, policy, home, checkout, transactions, signal } = session
  const report = await resultBeforeAbort(transactions.account.report(), signal)
  const changes = report?.changes ?? []
  const place = { policy, home, workingDirectories: [config.cwd] }
  return changedCheckInputs(
    policy.settings.checks,
    changes.map(({ path }) => ({ path: relative(config.cwd, join(checkout.top, path)) })),
    (path) => namesFile(place, join(config.cwd, path)),
  )
}

/**
 * Inputs of the checks that the run itself changed: files below `checks.protect`, and files that a command names or its
 * program reads, unless a rule names exactly that file (`isNamed`). A check that passes after such a change proves
 * nothing. Paths are relative to the project root.
 */
export function changedCheckInputs(
  checks: Pick<ChecksSettings, 'commands' | 'protect'>,
  changes: readonly Pick<FileChange, 'path'>[],
  isNamed: (path: string) => boolean = () => false,
): string[] {
  const steering = checkInputs(checks.commands)
  return changes
    .map((change) => change.path)
    .filter(
      (path) => (steering.has(path) && !isNamed(path)) || checks.protect.some((pattern) => isBelow(pattern, path)),
    )
}

function isBelow(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '')
  return path === plain || path.startsWith(`${plain}/`) || matchesGlob(plain, path)
}
