import { estimateTokens } from '../context/estimateTokens.ts'
import { withoutOldImages } from '../context/withoutOldImages.ts'
import { type RunEvent, warning } from '../contracts/events.ts'
import type { Message, Usage } from '../contracts/messages.ts'
import type { Loop, LoopState } from './Loop.ts'

/** Attempts to compact a conversation before an answer shows that one has helped. */
const MAX_ATTEMPTS = 2

/** Notes the size that the API counted, and whether earlier compactions have helped. */
export function measure(loop: Loop, usage: Usage): void {
  const { state, messages } = loop
  state.contextTokens =
    usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens + usage.output_tokens
  state.measuredMessages = messages.length + 1
  if (state.contextTokens < loop.compactAt) {
    state.compactions = 0
    state.imagesDropped = false
  }
}

type Sized = { readonly state: LoopState; readonly messages: readonly Message[] }

/** Tokens of the next request: the API's last count, plus an estimate of what was added since. */
export function contextTokens({ state, messages }: Sized): number {
  return state.contextTokens + estimateTokens(messages.slice(state.measuredMessages))
}

/** Compacts a conversation that nearly fills the context window. If that fails, it stays as it is. */
export async function* ensureContextFits(loop: Loop): AsyncGenerator<RunEvent, void, undefined> {
  if (contextTokens(loop) >= loop.compactAt) yield* shorten(loop, 'auto')
}

/**
 * Compacts the conversation; false if that is impossible or did not help twice. If the API rejected the conversation, a
 * failed attempt is repeated once.
 */
export async function* shorten(loop: Loop, trigger: 'auto' | 'error'): AsyncGenerator<RunEvent, boolean, undefined> {
  const { state, signal } = loop
  while (loop.compact !== undefined && state.compactions < MAX_ATTEMPTS && !signal.aborted) {
    state.compactions++
    const shorter = yield* loop.compact(trigger)
    if (shorter !== undefined) {
      replace(loop, shorter)
      return true
    }
    if (trigger === 'auto') return false
  }
  return false
}

/** Removes the oldest images from a conversation that is too large to send, once; false if there are none. */
export async function* dropImages(loop: Loop): AsyncGenerator<RunEvent, boolean, undefined> {
  const lighter = loop.state.imagesDropped ? undefined : withoutOldImages(loop.messages)
  if (lighter === undefined) return false
  loop.state.imagesDropped = true
  const message = `The request was too large: ${lighter.dropped} of the oldest images and documents were left out.`
  yield warning('images_dropped', message)
  replace(loop, lighter.messages)
  return true
}

function replace(loop: Loop, messages: readonly Message[]): void {
  const before = loop.messages.length
  loop.messages.splice(0, before, ...messages)
  if (messages.length === before) return
  loop.state.contextTokens = 0
  loop.state.measuredMessages = 0
}
