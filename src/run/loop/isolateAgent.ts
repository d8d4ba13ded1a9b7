import { basename, join } from 'node:path'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { resolvePath } from '../../files/resolvePath.ts'
import {
  addWorktree,
  removeWorktree,
  removeWorktreesFolder,
  type SavedPatch,
  saveWorktreePatch,
  WORKTREE_FOLDER,
} from '../../git/states/gitWorktree.ts'
import { anchorPolicy } from '../../policy/rules/indexPolicy.ts'
import type { Session } from '../Session.ts'
import { filesOf, moveTo } from '../start/openFiles.ts'

export type IsolatedSession = Readonly<Awaited<ReturnType<typeof isolateAgent>>>

const TIMEOUT_MS = 60_000
const HASTY_MS = 1500

/**
 * The session of an agent that works in its own worktree at the last commit. The rules of the project apply there to
 * the same relative paths. The agent's changes do not reach the project: they are kept as a patch.
 */
export async function isolateAgent(session: Session, agentId: string) {
  const { place, config, isolated } = session
  if (place.cwd !== config.cwd) throw new Error('You are in a worktree already: leave out isolation.')
  const worktree = await isolated.inTurn(() => makeWorktree(session, agentId))
  const own: Session = {
    ...session,
    place: { ...place, cwd: worktree, policy: anchorPolicy(session.policy, worktree) },
  }
  own.place.files = filesOf(own)
  isolated.places.set(worktree, own.place)
  return {
    session: own,
    /** Removes the worktree and reports where its changes are. Never throws. */
    leave: () => isolated.inTurn(() => leaveWorktree(session, worktree)),
  }
}

/** Moves the run into a new worktree before it starts (`--worktree`). Throws `usage` if there can be none. */
export async function startInWorktree(session: Session, name: string): Promise<void> {
  const { sessionId } = session
  const folder = name === 'auto' ? `run-${sessionId.slice(0, 8)}` : name
  const worktree = await makeWorktree(session, folder).catch((cause: unknown) => {
    throw new RunError('usage', `--worktree: ${messageOf(cause)}`, { cause })
  })
  await moveTo(session, worktree)
}

function makeWorktree(session: Session, name: string): Promise<string> {
  const { place, children, artifacts, transactions } = session
  const root = place.cwd
  // No command of another agent is blamed for it.
  return transactions.account.changeWorktree(join(root, WORKTREE_FOLDER, name), async () => {
    // Git must see it before anything else exists there, as in EnterWorktree.
    await place.files.write(join(root, WORKTREE_FOLDER, '.gitignore'), new TextEncoder().encode('*\n'))
    return addWorktree({ root, name, owner: artifacts }, children.git).catch(async (error: unknown) => {
      await removeWorktreesFolder(root)
      throw error
    })
  })
}

/** Saves the changes in a worktree as a patch among the artifacts; undefined without changes. */
export function keepPatch(session: Session, worktree: string, signal: AbortSignal): Promise<SavedPatch | undefined> {
  const { children, artifactFiles, redactor, home } = session
  const artifacts = resolvePath(session.artifacts, '/', home).resolved
  const places = { artifactFiles, artifacts, redact: redactor.text }
  return saveWorktreePatch(worktree, (args, env) => children.git(args, env, signal), places)
}

async function leaveWorktree(session: Session, worktree: string): Promise<string> {
  const { signal, isolated } = session
  const time = AbortSignal.timeout(signal.aborted ? HASTY_MS : TIMEOUT_MS)
  try {
    const kept = await keepPatch(session, worktree, time)
    await session.transactions.account.changeWorktree(worktree, () => removeWorktree(worktree))
    isolated.places.delete(worktree)
    if (kept === undefined) return 'Its worktree is gone; nothing was changed in it.'
    const copy = session.transcript.blobs.put(kept.content)
    return `Its worktree is gone, and the project does not have its changes. They are a patch, kept for the user as ${basename(kept.path)}. Read it in ${copy} (${kept.bytes} bytes), and make the changes that you want.`
  } catch (error) {
    return `Its worktree ${worktree} was left in place, with the only copy of its changes: ${messageOf(error)}`
  }
}
