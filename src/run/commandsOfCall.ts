import type { CommandAccess } from '../contracts/commands.ts'
import { changeablePaths } from '../policy/changeablePaths.ts'
import type { Policy } from '../policy/Policy.ts'
import type { CallContext } from '../runTools.ts'

/** The run's commands for one call, which is told what each of them changed. */
export function commandsOfCall(
  commands: CommandAccess,
  { onEffects }: Pick<CallContext, 'onEffects'>,
  policy: Policy,
): CommandAccess {
  return {
    ...commands,
    async run(request) {
      const result = await commands.run(request)
      if (result.effects === undefined) return result
      const effects = { ...result.effects, allowed: changeablePaths(policy).allowed }
      onEffects(effects)
      return { ...result, effects }
    },
  }
}
