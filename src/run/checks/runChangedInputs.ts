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

/** What a commit of the run can be pushed by. What is only put aside, such as a stash, stays here. */
const PUSHED = /^(?:.*:)?(?:HEAD$|refs\/(?:heads|tags)\/)/

/**
 * What the run changed in the project, or in the worktree in which it ends, relative to the root of each, and protected
 * files that its branches and tags change; nothing if it was told to end meanwhile. Throws `changes_unknown` if the
 * worktree cannot be compared.
 */
export async function runChangedInputs(session: Session): Promise<ChangedInputs> {
  const { config, policy, checkout, transactions, signal, children, place } = session
  const inRoot = (path: string) => relative(config.cwd, join(checkout.top, path))
  const report = await resultBeforeAbort(transactions.account.report(), signal)
  const changes = (report?.changes ?? []).map(({ path }) => inRoot(path))
  const patch = place.cwd === config.cwd ? undefined : await worktreePatch(place.cwd, children.git).catch(unknown)
  const changed = patch === undefined ? [] : pathsIn(new TextDecoder().decode(patch))
  const { checks } = policy.settings
  const found = changedCheckInputs(checks, [...new Set([...changes, ...changed])], (path) =>
    namesFile({ policy, workingDirectories: [config.cwd] }, join(config.cwd, path)),
  )
  const refs = checks.protect.length === 0 ? [] : await resultBeforeAbort(transactions.refs.changes(), signal)
  const pushed = (refs ?? []).filter(({ name }) => PUSHED.test(name))
  const committed = pushed.flatMap(({ name, files }) => {
    const paths = changedCheckInputs(checks, files.map(inRoot)).closed
    return paths.filter((path) => !found.closed.includes(path)).map((path) => `${path} in ${name}`)
  })
  return { ...found, closed: [...found.closed, ...committed] }
}

function unknown(cause: unknown): never {
  throw new RunError('changes_unknown', `The worktree cannot be compared: ${messageOf(cause)}`, { cause })
}

/** Changed files that a check depends on; a check that passes after such a change proves nothing. Each is in one list. */
type ChangedInputs = {
  /** Files below `checks.protect`. */
  readonly closed: readonly string[]
  /** Files that a command names or its program reads. */
  readonly inputs: readonly string[]
  /** Such files that a rule names exactly: these may change. */
  readonly named: readonly string[]
}

/** Which of these changed files the checks depend on. Paths are relative to the project root. */
export function changedCheckInputs(
  checks: Pick<ChecksSettings, 'commands' | 'protect'>,
  changes: readonly string[],
  isNamed: (path: string) => boolean = () => false,
): ChangedInputs {
  const steering = checkInputs(checks.commands)
  const isClosed = (path: string) => checks.protect.some((pattern) => isBelow(pattern, path))
  const inputs = changes.filter((path) => steering.has(path) && !isClosed(path))
  return {
    closed: changes.filter(isClosed),
    inputs: inputs.filter((path) => !isNamed(path)),
    named: inputs.filter(isNamed),
  }
}

function isBelow(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.?\//, '').replace(/\/$/, '')
  return path === plain || path.startsWith(`${plain}/`) || matchesGlob(plain, path)
}
