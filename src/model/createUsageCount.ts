import type { Usage } from '../contracts/messages.ts'
import { normalizeUsage } from './normalizeUsage.ts'

type StreamEvent = {
  readonly type: string
  readonly message?: { readonly usage?: object | null }
  readonly usage?: object | null
  readonly delta?: object
}

type Sizes = {
  /** The characters sent; only called if the API counts no input. */
  inputSize(): number
  /** The characters of tool inputs that have arrived, which are not in the deltas here. */
  toolInputSize(): number
}

/**
 * The usage of an unfinished answer: the API's counts so far, but at least the output that has arrived. This is a lower
 * bound, because the API counts an answer's output at its end.
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
      const { usage } = normalizeUsage(
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

/** Above the average for English text, so that the count stays below the API's. */
const CHARACTERS_PER_TOKEN = 5

const TEXT_FIELDS = ['text', 'thinking']

function lengthOf(delta: object): number {
  return TEXT_FIELDS.reduce((sum, field) => sum + String(Reflect.get(delta, field) ?? '').length, 0)
}

/** `message_delta` repeats the counts of `message_start`, some of them as null. */
function known(usage: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null && value !== undefined))
}
