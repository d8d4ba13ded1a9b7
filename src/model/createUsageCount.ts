import type { Usage } from '../contracts/messages.ts'
import { usableUsage } from './usableUsage.ts'

type StreamEvent = {
  readonly type: string
  readonly message?: { readonly usage?: object | null }
  readonly usage?: object | null
  readonly delta?: object
}

type Sizes = {
  /** Characters of what was sent: asked where the API counts no input. */
  inputSize(): number
  /** Characters of tool inputs that have arrived; they are in no delta that comes here. */
  toolInputSize(): number
}

/**
 * What an answer that is still coming has used: the counts as the API has said them so far, and no less output than has
 * arrived. A lower bound: the API counts an answer's output at its end.
 */
export function createUsageCount({ inputSize, toolInputSize }: Sizes) {
  let said: Readonly<Record<string, unknown>> = {}
  let arrived = 0
  return {
    add({ type, message, usage, delta }: StreamEvent): void {
      if (type === 'message_start') said = { ...said, ...message?.usage }
      if (type === 'message_delta') said = { ...said, ...known(usage ?? {}) }
      if (type === 'content_block_delta') arrived += lengthOf(delta ?? {})
    },
    atLeast(): Usage {
      const output = arrived + toolInputSize()
      const { usage } = usableUsage(
        { output_tokens: 0, ...said },
        {
          get input() {
            return inputSize()
          },
          output,
        },
      )
      return { ...usage, output_tokens: Math.max(usage.output_tokens, Math.floor(output / CHARACTERS_PER_TOKEN)) }
    },
  }
}

/** More than English text has on average, so that the count stays below the API's. */
const CHARACTERS_PER_TOKEN = 5

const TEXT_FIELDS = ['text', 'thinking']

function lengthOf(delta: object): number {
  return TEXT_FIELDS.reduce((sum, field) => sum + String(Reflect.get(delta, field) ?? '').length, 0)
}

/** `message_delta` repeats the counts of `message_start`, some of them as null. */
function known(usage: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null && value !== undefined))
}
