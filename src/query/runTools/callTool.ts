import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { RunEvent } from '../../contracts/events.ts'
import { createChannel } from '../../lib/async/channel.ts'
import { mergeGenerators } from '../../lib/async/mergeGenerators.ts'
import type { Tool, ToolInput, ToolUseContext } from '../../Tool.ts'

/** How a call ended: with data, or with an error for the model. */
export type CallEnd =
  | { readonly data: unknown; readonly error?: never }
  | { readonly error: string; readonly data?: never }

type CallParts = {
  /** Ends the call; delayed for a tool that must not be interrupted. */
  readonly signal: AbortSignal
  makeContext(send: (event: RunEvent) => Promise<void>, signal: AbortSignal): ToolUseContext
}

/** Time for a call that must not be interrupted when the run ends. */
const UNDISTURBED_MS = 2000

/**
 * Runs the tool. Yields its progress and every event that it sends, each before the tool continues. An exception is an
 * error for the model; only a `RunError`, which a person must fix, is rethrown.
 */
export async function* callTool(
  tool: Tool,
  input: ToolInput,
  { signal, makeContext }: CallParts,
): AsyncGenerator<RunEvent, CallEnd, undefined> {
  const events = createChannel<RunEvent>()
  const later = tool.interruptBehavior === 'block' ? delayAbort(signal, UNDISTURBED_MS) : undefined
  const context = makeContext(events.send, later?.signal ?? signal)
  let end: CallEnd = { error: `${tool.name} ended without a result.` }
  async function* drive(): AsyncGenerator<RunEvent> {
    try {
      for await (const item of untilAborted(tool.call(input, context), signal)) {
        if (item.type === 'result') end = checked(tool, item.data)
        else
          yield {
            ...{ type: 'system', subtype: 'tool_progress', tool_use_id: context.toolUseId, tool_name: tool.name },
            ...{ text: item.text, parent_tool_use_id: context.parentToolUseId },
          }
      }
    } catch (error) {
      if (error instanceof RunError) throw error
      end = { error: messageOf(error) }
    } finally {
      later?.release()
      events.close()
    }
  }
  for await (const event of mergeGenerators(drive(), events.read())) yield event
  return end
}

function checked(tool: Tool, data: unknown): CallEnd {
  const problem = tool.outputSchema?.().safeParse(data).error
  if (problem === undefined) return { data }
  return { error: `${tool.name} gave an output that does not fit its own schema: ${problem.message}` }
}

/** The same abort, but later, so that a call can finish by itself; `release` stops listening to the signal. */
export function delayAbort(
  signal: AbortSignal,
  milliseconds: number,
): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => controller.abort(signal.reason), milliseconds)
  }
  if (signal.aborted) wait()
  else signal.addEventListener('abort', wait, { once: true })
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer)
      signal.removeEventListener('abort', wait)
    },
  }
}

/** Time before a call that ignores its signal is abandoned. */
const GRACE_MS = 2200

/**
 * Yields the items of `source`. After an abort it waits a short while, so that a tool can end its processes and return
 * its output; then it stops with `Interrupted`.
 */
export async function* untilAborted<Item>(
  source: AsyncGenerator<Item>,
  signal: AbortSignal,
  graceMs = GRACE_MS,
): AsyncGenerator<Item> {
  const stop = new AbortController()
  const givenUp = new Promise<never>((_, reject) => {
    const giveUp = () =>
      sleep(graceMs, undefined, { signal: stop.signal, ref: true }).then(
        () => reject(new Error('Interrupted.')),
        () => undefined,
      )
    if (signal.aborted) void giveUp()
    else signal.addEventListener('abort', () => void giveUp(), { once: true, signal: stop.signal })
  })
  givenUp.catch(() => undefined)
  try {
    while (true) {
      const next = source.next()
      next.catch(() => undefined)
      const item = await Promise.race([next, givenUp])
      if (item.done === true) return
      yield item.value
    }
  } finally {
    stop.abort()
  }
}
