import type { HookInput } from '../contracts/callbacks.ts'
import { messageOf } from '../contracts/errors.ts'
import type { HookSettings } from '../contracts/settings.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { isObject } from '../lib/isObject.ts'
import type { HookEnding } from './HookReply.ts'
import { OUTPUT_LIMIT } from './runCommandHook.ts'

type FunctionHook = Extract<HookSettings, { type: 'function' }>

/** Calls a hook of the caller with a copy of the event. Its answer is parsed like a command's output. */
export async function runFunctionHook(
  hook: FunctionHook,
  input: string,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<HookEnding> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const signal = AbortSignal.any([limits.signal, timeout])
  const event = JSON.parse(input) as HookInput
  const ended = (async (): Promise<HookEnding> => {
    const answer: unknown = await hook.call(event, event.tool_use_id, { signal })
    const text = answer === undefined ? '' : (JSON.stringify(answer) ?? String(answer))
    if (answer !== undefined && !isObject(answer))
      return { kind: 'failed', detail: `its answer is no object: ${text.slice(0, 200)}` }
    if (text.length > OUTPUT_LIMIT) return { kind: 'failed', detail: 'its answer has more than 1 MiB' }
    return { kind: 'answered', text }
  })().catch((error: unknown): HookEnding => ({ kind: 'failed', detail: `it threw: ${messageOf(error)}` }))
  const ending = await resultBeforeAbort(ended, signal)
  if (ending !== undefined && !timeout.aborted) return ending
  if (timeout.aborted) return { kind: 'timeout', detail: `no answer within ${limits.timeoutMs / 1000} s` }
  return { kind: 'failed', detail: 'it was canceled' }
}
