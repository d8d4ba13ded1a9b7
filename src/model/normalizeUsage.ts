import type { Usage } from '../contracts/messages.ts'

/** No request has more tokens; a larger count is a gateway's mistake. */
const MAX_TOKENS = 100_000_000

/** A rough average for English; enough to keep a budget if a gateway sends no counts. */
const BYTES_PER_TOKEN = 3.5

/** Characters sent and received, for the estimate. */
export type Sizes = { readonly input: number; readonly output: number }

/** The API's counts, or an estimate from the sizes if they are missing, negative or absurd. */
export function normalizeUsage(sent: unknown, sizes: Sizes): { readonly usage: Usage; readonly isEstimated: boolean } {
  const counts: Readonly<Record<string, unknown>> = typeof sent === 'object' && sent !== null ? { ...sent } : {}
  const input = countOf(counts['input_tokens'])
  const output = countOf(counts['output_tokens'])
  const written = countOf(counts['cache_creation_input_tokens'] ?? 0)
  const read = countOf(counts['cache_read_input_tokens'] ?? 0)
  if (input !== undefined && output !== undefined && written !== undefined && read !== undefined) {
    const usage = usageOf(input, output, written, read)
    const searches = searchesOf(counts['server_tool_use'])
    return { usage: searches === 0 ? usage : { ...usage, web_search_requests: searches }, isEstimated: false }
  }
  const estimate = usageOf(Math.ceil(sizes.input / BYTES_PER_TOKEN), Math.ceil(sizes.output / BYTES_PER_TOKEN), 0, 0)
  return { usage: estimate, isEstimated: true }
}

/** `server_tool_use.web_search_requests`; 0 if it is missing or invalid. */
function searchesOf(sent: unknown): number {
  if (typeof sent !== 'object' || sent === null) return 0
  return countOf(Reflect.get(sent, 'web_search_requests')) ?? 0
}

function usageOf(input: number, output: number, written: number, read: number): Usage {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
  }
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : undefined
}
