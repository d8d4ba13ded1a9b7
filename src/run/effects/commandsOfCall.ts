import type { CommandAccess, CommandRequest } from '../../contracts/commands.ts'
import { changeablePaths } from '../../policy/explain/briefPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'
import type { CallContext } from '../../query/runTools/runTools.ts'

type Variables = Readonly<Record<string, string>>

/** The run's command access for one call. Reports what each command changed. */
export function commandsOfCall(
  commands: CommandAccess,
  { onEffects }: Pick<CallContext, 'onEffects'>,
  policy: Policy,
  variables: Variables = {},
): CommandAccess {
  return {
    ...commands,
    start: (request) => commands.start(withVariables(withGit(request, policy), variables, policy)),
    async run(request) {
      const result = await commands.run(withVariables(withGit(request, policy), variables, policy))
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

/**
 * A command with what hooks have set. `env` sets it behind the wall, so that no program before the wall gets it. Anybody
 * can read a command line, so values that the policy names as secrets go the usual way.
 */
export function withVariables<Request extends Pick<CommandRequest, 'file' | 'args' | 'env' | 'isOwnReader'>>(
  request: Request,
  variables: Variables,
  { settings }: Policy,
): Request {
  const all = Object.entries(variables)
  if (all.length === 0 || request.isOwnReader === true) return request
  const isSecret = ([name]: readonly [string, string]) => settings.env.secrets.includes(name)
  const words = all.filter((each) => !isSecret(each)).map(([name, value]) => `${name}=${value}`)
  const env = { ...request.env, ...Object.fromEntries(all.filter(isSecret)) }
  return { ...request, file: 'env', args: [...words, request.file, ...request.args], env }
}
