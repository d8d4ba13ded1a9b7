import { NO_USAGE, type Usage } from '../contracts/messages.ts'
import { isObject } from '../lib/isObject.ts'

/** No request has more tokens; a larger count is a gateway's mistake. */
const MAX_TOKENS = 100_000_000

/** A rough average for English; enough to keep a budget if a gateway sends no counts. */
const BYTES_PER_TOKEN = 3.5

/** The characters sent and received, for an estimate. */
type Sizes = () => readonly [sent: number, received: number]

/** The API's counts, or an estimate from the sizes if they are missing, negative or absurd. */
export function normalizeUsage(told: unknown, sizes: Sizes): { readonly usage: Usage; readonly isEstimated: boolean } {
  const counts = isObject(told) ? told : {}
  const usage = {
    input_tokens: countOf(counts['input_tokens']),
    output_tokens: countOf(counts['output_tokens']),
    cache_creation_input_tokens: countOf(counts['cache_creation_input_tokens'] ?? 0),
    cache_read_input_tokens: countOf(counts['cache_read_input_tokens'] ?? 0),
  }
  if (Object.values(usage).includes(undefined)) {
    const [input = 0, output = 0] = sizes().map((size) => Math.ceil(size / BYTES_PER_TOKEN))
    return { usage: { ...NO_USAGE, input_tokens: input, output_tokens: output }, isEstimated: true }
  }
  const { web_search_requests } = isObject(counts['server_tool_use']) ? counts['server_tool_use'] : {}
  const searches = countOf(web_search_requests) ?? 0
  return { usage: { ...(usage as Usage), ...(searches > 0 && { web_search_requests: searches }) }, isEstimated: false }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined
}

type StreamEvent = {
  readonly type: string
  readonly message?: { readonly usage?: object | null }
  readonly usage?: object | null
  readonly delta?: object
}

/**
 * The usage of an unfinished answer: the API's counts so far, but at least the output that has arrived. This is a lower
 * bound, because the API counts an answer's output at its end. `sizes`: what was sent, and what is not in the deltas here.
 */
export function createUsageCount(sizes: Sizes) {
  let said: Readonly<Record<string, unknown>> = { output_tokens: 0 }
  let arrived = 0
  return {
    add({ type, message, usage, delta }: StreamEvent): void {
      if (type === 'message_start') said = { ...said, ...message?.usage }
      if (type === 'message_delta') said = { ...said, ...known(usage ?? {}) }
      if (type === 'content_block_delta') arrived += lengthOf(delta ?? {})
    },
    atLeast(): Usage {
      const [input, hidden] = sizes()
      const output = arrived + hidden
      const { usage } = normalizeUsage(said, () => [input, output])
      return { ...usage, output_tokens: Math.max(usage.output_tokens, Math.floor(output / CHARACTERS_PER_TOKEN)) }
    },
  }
}

/** Above the average for English text, so that the count stays below the API's. */
const CHARACTERS_PER_TOKEN = 5

function lengthOf(delta: object): number {
  return ['text', 'thinking'].reduce((sum, field) => sum + String(Reflect.get(delta, field) ?? '').length, 0)
}

/** `message_delta` repeats the counts of `message_start`, some of them as null. */
function known(usage: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null && value !== undefined))
}
