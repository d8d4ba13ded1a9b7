import type { HookTable } from '../contracts/settings.ts'
import { createHooks } from '../hooks/createHooks.ts'
import type { HookMeans, Hooks } from '../hooks/Hooks.ts'
import { matchesRule } from '../policy/matchesRule.ts'
import { type Asking, askBeside } from './askBeside.ts'
import type { RunNetwork } from './openNetwork.ts'
import type { Session } from './Session.ts'

type HookBase = Asking &
  Pick<Session, 'environment' | 'childEnvironment' | 'children' | 'sessionId' | 'transcript' | 'place'>

/** `configRoot` stands in for the checkout where project files are read at another commit. */
type HookSources = { readonly projectHooks: HookTable; readonly configRoot: string | undefined }

/**
 * The hooks of the policy and of the project, undefined where there are none. What the repository brings runs in the
 * sandbox if there is one, reaches no internal address, and sees no more of the environment than any child.
 */
export function openHooks(
  base: HookBase,
  network: RunNetwork,
  { projectHooks, configRoot = base.config.cwd }: HookSources,
): Hooks | undefined {
  const { children, environment, childEnvironment, config, place } = base
  const { hooks: table } = base.policy.settings
  if (isEmpty(table) && isEmpty(projectHooks)) return undefined
  const foreign: HookMeans = {
    table: projectHooks,
    runCommand: (request) => children.commands.run(request),
    fetch: network.fetchForProject,
    env: childEnvironment,
  }
  return createHooks({
    table,
    project: foreign,
    cwd: configRoot,
    workspace: config.cwd,
    sessionId: base.sessionId,
    transcriptPath: base.transcript.path,
    permissionMode: () => place.mode,
    runCommand: (request) => children.hookCommands.run(request),
    fetch: network.fetchOwn,
    askModel: (question, signal) => askBeside(base, question, { signal, parentToolUseId: null }),
    matchesRule: (rule, call) => matchesRule(place.policy, rule, call),
    redact: base.redactor.forModel,
    onEvent: (event) => base.pending.push(event),
    env: environment,
  })
}

function isEmpty(table: HookTable): boolean {
  return Object.keys(table).length === 0
}
