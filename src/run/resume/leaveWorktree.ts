import { messageOf } from '../../contracts/errors.ts'
import type { RunEvent } from '../../contracts/events.ts'
import { resolvePath } from '../../files/resolvePath.ts'
import { removeWorktree } from '../../git/states/gitWorktree.ts'
import { saveWorktreePatch } from '../../git/states/saveWorktreePatch.ts'
import type { Session } from '../Session.ts'

const TIMEOUT_MS = 60_000

/**
 * For a run that ends inside its worktree: saves the changes as a patch among the artifacts and removes the worktree.
 * If that fails or takes longer than `cutoff`, the worktree is left in place, and a warning names it.
 */
export async function leaveWorktree(session: Session, cutoff: AbortSignal): Promise<RunEvent | undefined> {
  const { place, config, children, artifactFiles, redactor, home } = session
  const worktree = place.cwd
  if (worktree === config.cwd) return undefined
  const artifacts = resolvePath(session.artifacts, '/', home).resolved
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), cutoff])
  try {
    const places = { artifactFiles, artifacts, redact: redactor.text }
    const kept = await saveWorktreePatch(worktree, (args, env) => children.git(args, env, signal), places)
    await removeWorktree(worktree)
    if (kept !== undefined) {
      const message = `The run ended in a worktree. The project does not have its changes: \`git apply ${kept.path}\` brings them in.`
      return { type: 'system', subtype: 'warning', code: 'worktree_left', message }
    }
    const detail = 'nothing was changed in it'
    return { type: 'system', subtype: 'status', status: 'worktree_left', detail, parent_tool_use_id: null }
  } catch (error) {
    const message = `The worktree ${worktree} was left in place, with the only copy of its changes: ${messageOf(error)}`
    return { type: 'system', subtype: 'warning', code: 'worktree_left', message }
  }
}
