import { join } from 'node:path'
import * as z from 'zod'
import { addWorktree, removeWorktreesFolder, WORKTREE_FOLDER, worktreeRoot } from '../../git/states/gitWorktree.ts'
import { buildTool, invalid } from '../../Tool.ts'

/** Moves the run into a new git worktree at the last commit, so that the project itself does not change. */
export const EnterWorktreeTool = buildTool({
  name: 'EnterWorktree',
  searchHint: 'work on a separate copy: git worktree',
  shouldDefer: true,
  interruptBehavior: 'block',
  inputSchema: () =>
    z.strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/)
        .optional()
        .describe('its name; default: a new one'),
    }),
  outputSchema: () => z.object({ worktreePath: z.string(), from: z.string() }),
  description: () => 'Moves you into a new git worktree at the last commit; the project stays as it is.',
  validateInput(_input, { cwd, agentId, commands, agentsAtWork }) {
    if (agentId !== undefined) return invalid('Only the main agent can move the run.', 1)
    if (worktreeRoot(cwd) !== undefined) return invalid('You are in a worktree already.', 2)
    if (commands.listBackground().some((command) => command.status().state === 'running'))
      return invalid('Commands still run in the background; end them first.', 3)
    if (agentsAtWork().length > 0) return invalid('Agents still work in the background; wait for their answers.', 4)
    return { result: true }
  },
  activity: ({ name }) => `Entering the worktree ${name ?? 'work'}`,
  async *call({ name = 'work' }, context) {
    const { cwd, files } = context
    // Written first: the folder ignores itself, so that no tracked file has to.
    await files.write(join(cwd, WORKTREE_FOLDER, '.gitignore'), new TextEncoder().encode('*\n'))
    const worktreePath = await context.changeWorktree(join(cwd, WORKTREE_FOLDER, name), () =>
      addWorktree({ root: cwd, name, owner: context.artifacts }, context.ownGit).catch(async (error: unknown) => {
        await removeWorktreesFolder(cwd)
        throw error
      }),
    )
    await context.setCwd(worktreePath)
    yield { type: 'result', data: { worktreePath, from: cwd } }
  },
  mapResult: ({ worktreePath, from }) => ({
    content: `You are in ${worktreePath} now, at the last commit of ${from}; changes that were not committed are not here. ExitWorktree keeps what you do as a patch.`,
  }),
})
