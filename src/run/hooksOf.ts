import type { CanUseTool, HookFunctions, HookOutput, PermissionResult } from '../contracts/callbacks.ts'
import { RunError } from '../contracts/errors.ts'
import { HOOK_EVENTS, type HookGroup, type HookTable } from '../contracts/settings.ts'
import { isObject } from '../lib/isObject.ts'
import type { RunRequest } from './RunRequest.ts'

/** The hooks of the policy, then those of the caller. Throws `RunError('config')` for an event that does not exist. */
export function hooksOf({ policy, hooks, canUseTool, config }: RunRequest): HookTable {
  if (hooks === undefined && canUseTool === undefined) return policy.settings.hooks
  const table = joinHooks(policy.settings.hooks, fromFunctions(hooks ?? {}))
  if (canUseTool !== undefined) {
    const call = asHook(canUseTool)
    const timeout = config.limits.timeoutMs / 1000
    const asked: HookGroup = { hooks: [{ type: 'function', name: 'canUseTool', call, timeout }] }
    return joinHooks(table, { PermissionRequest: [asked] })
  }
  return table
}

export function joinHooks(first: HookTable, more: HookTable): HookTable {
  const table: Record<string, readonly HookGroup[]> = { ...first }
  for (const [event, groups] of Object.entries(more)) table[event] = [...(table[event] ?? []), ...groups]
  return table
}

function fromFunctions(functions: HookFunctions): HookTable {
  const table: Record<string, readonly HookGroup[]> = {}
  for (const [event, groups] of Object.entries(functions)) {
    if (!HOOK_EVENTS.some((name) => name === event))
      throw new RunError('config', `hooks.${event}: there is no such event. Events: ${HOOK_EVENTS.join(', ')}.`)
    table[event] = (groups ?? []).map(({ matcher, hooks, timeout, onError }) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: hooks.map((call) => ({
        ...{ type: 'function' as const, name: `function ${call.name || `for ${event}`}`, call },
        ...(timeout === undefined ? {} : { timeout }),
        ...(onError === undefined ? {} : { onError }),
      })),
    }))
  }
  return table
}

/** `canUseTool` as a PermissionRequest hook: asked about the same calls, and combined with the others. */
function asHook(canUseTool: CanUseTool) {
  let isTold = false
  return async (
    { tool_name = '', tool_input = {}, agent_id }: Readonly<Record<string, unknown>>,
    toolUseId: string | undefined,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<HookOutput> => {
    const options = { signal, toolUseID: toolUseId ?? '', ...(agent_id ? { agentID: String(agent_id) } : {}) }
    const answer = await canUseTool(String(tool_name), tool_input as Readonly<Record<string, unknown>>, options)
    const decision = decisionOf(answer, tool_input)
    const isRule = answer.behavior === 'allow' && (answer.updatedPermissions ?? []).length > 0
    const systemMessage = isRule && !isTold ? 'updatedPermissions has no effect: rules belong to the policy' : ''
    isTold ||= isRule
    return {
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
      ...(systemMessage && { systemMessage }),
    }
  }
}

type Decided = NonNullable<NonNullable<HookOutput['hookSpecificOutput']>['decision']>

/** An input that comes back unchanged is no edit. */
function decisionOf(answer: PermissionResult, asked: unknown): Decided {
  if (!isObject(answer))
    throw new Error('canUseTool answered nothing: { behavior: "allow" } or { behavior: "deny", message }')
  if (answer.behavior === 'allow') {
    const { updatedInput } = answer
    const isEdited = updatedInput !== undefined && JSON.stringify(updatedInput) !== JSON.stringify(asked)
    return { behavior: 'allow', ...(isEdited ? { updatedInput } : {}) }
  }
  const { behavior, message, interrupt } = answer
  return { behavior, message, ...(interrupt === undefined ? {} : { interrupt }) }
}
