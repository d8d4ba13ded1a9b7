import { join, relative } from 'node:path'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { ChecksSettings } from '../../contracts/settings.ts'
import { worktreePatch } from '../../git/states/gitWorktree.ts'
import { pathsIn } from '../../git/states/stagePatch.ts'
import { resultBeforeAbort } from '../../lib/async/resultBeforeAbort.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'
import { checkInputs } from '../../policy/checkInputs.ts'
import { namesFile } from '../../policy/paths/judgePath.ts'
import type { Session } from '../Session.ts'

/**
 * Inputs of the checks that the run changed in the project, or in the worktree in which it ends, relative to the root of
 * each; none if it was told to end meanwhile. Throws `changes_unknown` if the worktree cannot be compared.
 */
export async function runChangedInputs(session: Session): Promise<readonly string[]> {
  const { config, policy, checkout, transactions, signal, children, place } = session
  const report = await resultBeforeAbort(transactions.account.report(), signal)
  const changes = (report?.changes ?? []).map(({ path }) => relative(config.cwd, join(checkout.top, path)))
  const patch = place.cwd === config.cwd ? undefined : await worktreePatch(place.cwd, children.git).catch(unknown)
  const changed = patch === undefined ? [] : pathsIn(new TextDecoder().decode(patch))
  return changedCheckInputs(policy.settings.checks, [...new Set([...changes, ...changed])], (path) =>
    namesFile({ policy, workingDirectories: [config.cwd] }, join(config.cwd, path)),
  )
}

function unknown(cause: unknown): never {
  throw new RunError('changes_unknown', `The worktree cannot be compared: ${messageOf(cause)}`, { cause })
}

/**
 * Inputs of the checks that the run itself changed: files below `checks.protect`, and files that a command names or its
 * program reads, unless a rule names exactly that file (`isNamed`). A check that passes after such a change proves
 * nothing. Paths are relative to the project root.
 */
export function changedCheckInputs(
  checks: Pick<ChecksSettings, 'commands' | 'protect'>,
  changes: readonly string[],
  isNamed: (path: string) => boolean = () => false,
): string[] {
  const steering = checkInputs(checks.commands)
  return changes.filter(
    (path) => (steering.has(path) && !isNamed(path)) || checks.protect.some((pattern) => isBelow(pattern, path)),
  )
}

function isBelow(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '')
  return path === plain || path.startsWith(`${plain}/`) || matchesGlob(plain, path)
}
