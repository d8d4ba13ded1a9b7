import { basename, join } from 'node:path'
import { messageOf } from '../../contracts/errors.ts'
import { resolvePath } from '../../files/resolvePath.ts'
import { addWorktree, removeWorktree, removeWorktreesFolder, WORKTREE_FOLDER } from '../../lib/git/gitWorktree.ts'
import { saveWorktreePatch } from '../../lib/git/saveWorktreePatch.ts'
import { anchorPolicy } from '../../policy/load/anchorPolicy.ts'
import type { Session } from '../Session.ts'
import { filesOf } from './filesOf.ts'

/** An agent's own worktree: the session as it is from there, and the way out. */
export type IsolatedSession = {
  readonly session: Session
  /** Takes the worktree away; says where its changes are. Never throws. */
  leave(): Promise<string>
}

const TIMEOUT_MS = 60_000
/** Where the run is being ended. */
const HASTY_MS = 1500

/**
 * The session of an agent that works in a worktree of its own at the last commit. The rules of the project hold there, each
 * at the same place. What the agent changes does not come to the project: it is kept as a patch.
 */
export async function isolateAgent(session: Session, agentId: string): Promise<IsolatedSession> {
  const { place, config, children, isolated } = session
  const root = place.cwd
  if (root !== config.cwd) throw new Error('You are in a worktree already: leave out isolation.')
  const worktree = await isolated.inTurn(async () => {
    // Seen by git before anything else is there, as EnterWorktree does it.
    await place.files.write(join(root, WORKTREE_FOLDER, '.gitignore'), new TextEncoder().encode('*\n'))
    return addWorktree({ root, name: agentId, owner: session.artifacts }, children.git).catch(
      async (error: unknown) => {
        await removeWorktreesFolder(root)
        throw error
      },
    )
  })
  const own = { ...session, place: { ...place, cwd: worktree, policy: anchorPolicy(session.policy, worktree) } }
  own.place.files = filesOf(own)
  isolated.places.set(worktree, own.place)
  const leave = () => isolated.inTurn(() => leaveWorktree(session, worktree))
  return { session: own, leave }
}

async function leaveWorktree(session: Session, worktree: string): Promise<string> {
  const { children, artifactFiles, redactor, home, signal, isolated } = session
  const artifacts = resolvePath(session.artifacts, '/', home).resolved
  const time = AbortSignal.timeout(signal.aborted ? HASTY_MS : TIMEOUT_MS)
  try {
    const places = { artifactFiles, artifacts, redact: redactor.text }
    const kept = await saveWorktreePatch(worktree, (args, env) => children.git(args, env, time), places)
    await removeWorktree(worktree)
    isolated.places.delete(worktree)
    if (kept === undefined) return 'Its worktree is gone; nothing was changed in it.'
    const copy = session.transcript.blobs.put(kept.content)
    return `Its worktree is gone, and the project does not have its changes. They are a patch, kept for the user as ${basename(kept.path)}. Read it in ${copy} (${kept.bytes} bytes), and make the changes that you want.`
  } catch (error) {
    return `Its worktree ${worktree} is left as it is, its changes are only there: ${messageOf(error)}`
  }
}
