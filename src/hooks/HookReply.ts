import type { Behavior } from '../contracts/decision.ts'
import { messageOf } from '../contracts/errors.ts'
import type { HookSettings } from '../contracts/settings.ts'
import type { ToolInput } from '../Tool.ts'

/** The variables where a hook ran, before and after its `CLAUDE_ENV_FILE`; the latter empty if that ended the shell. */
export type HookVariables = Readonly<Record<'before' | 'after', Readonly<Record<string, string>>>>

export type HookEnding =
  /** Exit 0, or a 2xx answer. */
  | { readonly kind: 'answered'; readonly text: string; readonly variables?: HookVariables }
  /** Exit 2: blocks, whatever else was printed. */
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'failed' | 'timeout'; readonly detail: string }

export type HookLimits = { readonly timeoutMs: number; readonly signal: AbortSignal }

/** How a hook ends that `ask` runs inside this process: within its time, and without throwing. */
export async function endWithin(
  { timeoutMs, signal }: HookLimits,
  ask: (signal: AbortSignal) => Promise<HookEnding>,
  faultOf: (error: unknown) => string = messageOf,
): Promise<HookEnding> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const ending = await ask(AbortSignal.any([signal, timeout])).catch(
    (error: unknown): HookEnding => ({ kind: 'failed', detail: faultOf(error) }),
  )
  return timeout.aborted ? { kind: 'timeout', detail: `no answer within ${timeoutMs / 1000} s` } : ending
}

/** What one hook answered, in one form for all types and events. */
export type HookReply = {
  readonly decision: Behavior | 'none'
  readonly reason: string
  readonly updatedInput?: ToolInput
  readonly additionalContext?: string
  readonly stop?: string
  /** For people, not for the model. */
  readonly systemMessage?: string
  /** Set if the hook did not decide: it failed, hung, or its answer cannot be parsed. */
  readonly failure?: 'failed' | 'timeout'
}

/** The name of a hook in records: its command line, URL or prompt. */
export function nameOf(hook: HookSettings): string {
  if (hook.type === 'http') return hook.url
  if (hook.type === 'function') return hook.name
  if (hook.type === 'mcp_tool') return `mcp__${hook.server}__${hook.tool}`
  if (hook.type !== 'command') return `${hook.type}: ${hook.prompt.slice(0, 80)}`
  return [hook.command, ...(hook.args ?? [])].join(' ')
}

/** The type of the sub-agents of `agent` hooks, as other hooks see it. */
export const HOOK_AGENT = 'hook'

/** The longest hook text that reaches the model or a record; Claude Code's limit for added context. */
const TEXT_LIMIT = 10_000

export function limitText(text: string): string {
  return text.length <= TEXT_LIMIT ? text : `${text.slice(0, TEXT_LIMIT)}\n[cut: ${text.length} characters in all]`
}
