import type { CommandAccess } from '../contracts/commands.ts'
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
      const effects = { ...result.effects, allowed: editPatterns(policy) }
      onEffects(effects)
      return { ...result, effects }
    },
  }
}

/** The patterns of the Edit rules that allow, as they are written. */
export function editPatterns({ rules }: Policy): readonly string[] {
  return rules.flatMap(({ list, tool, target }) => {
    if (list !== 'allow' || tool !== 'Edit') return []
    return target.kind === 'path' ? [target.pattern] : target.kind === 'bare' ? ['every file'] : []
  })
}
