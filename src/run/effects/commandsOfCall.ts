import type { CommandAccess, CommandRequest } from '../../contracts/commands.ts'
import type { Policy } from '../../policy/Policy.ts'
import { changeablePaths } from '../../policy/paths/changeablePaths.ts'
import type { CallContext } from '../../query/runTools/runTools.ts'

/** The run's command access for one call. Reports what each command changed. */
export function commandsOfCall(
  commands: CommandAccess,
  { onEffects }: Pick<CallContext, 'onEffects'>,
  policy: Policy,
): CommandAccess {
  return {
    ...commands,
    start: (request) => commands.start(withGit(request, policy)),
    async run(request) {
      const result = await commands.run(withGit(request, policy))
      if (result.effects === undefined) return result
      const effects = { ...result.effects, allowed: changeablePaths(policy).allowed }
      onEffects(effects)
      return { ...result, effects }
    },
  }
}

/** Under bare `Bash` any command may be git: `npm version` commits too. */
function withGit<Request extends Pick<CommandRequest, 'effects'>>(request: Request, policy: Policy): Request {
  const { effects } = request
  if (effects === undefined || !policy.index.allow.bare.has('Bash')) return request
  return { ...request, effects: { ...effects, mayChangeGit: true } }
}
