import { basename } from 'node:path'
import * as z from 'zod'
import { isWorktreeOf, removeWorktree, saveWorktreePatch, worktreeRoot } from '../../git/states/gitWorktree.ts'
import { semanticBoolean } from '../../Tool/semanticValues.ts'
import { buildTool, invalid } from '../../Tool.ts'

/** Moves the run back to the project and removes the worktree; its changes are kept as a patch among the artifacts. */
export const ExitWorktreeTool = buildTool({
  name: 'ExitWorktree',
  searchHint: 'leave the git worktree, keep its changes as a patch',
  shouldDefer: true,
  interruptBehavior: 'block',
  inputSchema: () =>
    z.strictObject({
      discard_changes: semanticBoolean(z.boolean()).optional().describe('do not keep the changes as a patch'),
    }),
  outputSchema: () => z.object({ root: z.string(), patch: z.string().nullable(), bytes: z.number() }),
  isAvailable: ({ tools }) => tools.some(({ name }) => name === 'EnterWorktree'),
  description: () => 'Moves you back to the project. The worktree is removed, its changes become a patch for the user.',
  isDestructive: ({ discard_changes }) => discard_changes === true,
  async validateInput(_input, { cwd, agentId, artifacts, commands, agentsAtWork }) {
    if (agentId !== undefined) return invalid('Only the main agent can move the run.', 1)
    const isOwn = worktreeRoot(cwd) !== undefined && isWorktreeOf(cwd, artifacts)
    if (!isOwn) return invalid('You are not in a worktree that EnterWorktree made.', 2)
    if (commands.listBackground().some((command) => command.status().state === 'running'))
      return invalid('Commands still run in the background; end them first.', 3)
    if (agentsAtWork().length > 0) return invalid('Agents still work in the background; wait for their answers.', 4)
    return { result: true }
  },
  activity: () => 'Leaving the worktree',
  async *call({ discard_changes: isDiscarded = false }, context) {
    const worktree = context.cwd
    const root = worktreeRoot(worktree) ?? worktree
    const artifacts = context.resolvePath(context.artifacts).resolved
    const kept = isDiscarded ? undefined : await saveWorktreePatch(worktree, context.ownGit, { ...context, artifacts })
    await context.setCwd(root)
    await context.changeWorktree(worktree, () => removeWorktree(worktree))
    yield { type: 'result', data: { root, patch: kept?.path ?? null, bytes: kept?.bytes ?? 0 } }
  },
  mapResult: ({ root, patch, bytes }) => ({
    content: `You are back in ${root}. ${patch === null ? 'No changes were kept.' : `The changes are kept for the user as ${basename(patch)} (${bytes} bytes); the project does not have them.`}`,
  }),
})
