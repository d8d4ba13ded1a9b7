import type { Usage } from '../contracts/messages.ts'
import type { Price } from '../contracts/settings.ts'

/** The day on which `prices` was last compared with platform.claude.com/docs/en/about-claude/pricing. */
export const PRICES_DATE = '2026-10-24'

/** A higher rate for all tokens of a request whose prompt, with cache, is longer than `above` tokens. */
type ListPrice = Required<Price> & { readonly longPrompt?: { readonly above: number; readonly price: Required<Price> } }

/**
 * US dollars per million tokens, by exact model id. Any other model has no known price: ids are never matched by
 * family, because a new model of a family may cost a different amount. Cache writes are those of the five-minute cache.
 */
export const prices: Readonly<Record<string, ListPrice>> = {
  'claude-fable-5-1': { input: 10, output: 50, cacheWrite: 12.5, cacheRead: 0.25 },
  'claude-fable-5': { input: 10, output: 50, cacheWrite: 12.5, cacheRead: 1 },
  'claude-opus-5-5': { input: 4, output: 20, cacheWrite: 5, cacheRead: 0.2 },
  'claude-opus-5': { input: 5, output: 25, cacheWrite: 6.25, cacheRead: 0.5 },
  'claude-opus-4-8': { input: 5, output: 25, cacheWrite: 6.25, cacheRead: 0.5 },
  'claude-opus-4-7': { input: 5, output: 25, cacheWrite: 6.25, cacheRead: 0.5 },
  'claude-opus-4-6': { input: 5, output: 25, cacheWrite: 6.25, cacheRead: 0.5 },
  'claude-opus-4-5': { input: 5, output: 25, cacheWrite: 6.25, cacheRead: 0.5 },
  'claude-sonnet-5-5': { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.1 },
  'claude-sonnet-5': { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 },
  'claude-sonnet-4-6': { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 },
  'claude-sonnet-4-5': { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheWrite: 0.125,
    cacheRead: 0.01,
    longPrompt: { above: 100_000, price: { input: 0.5, output: 2.5, cacheWrite: 0.625, cacheRead: 0.05 } },
  },
  'claude-haiku-4-5': { input: 1, output: 5, cacheWrite: 1.25, cacheRead: 0.1 },
}

/** The price of one web search by the API, in US dollars; the same list. */
const SEARCH_PRICE = 0.01

/**
 * The cost of one request in US dollars, or null if the model has no known price. `pricing` (from the policy) overrides
 * the table. What a cloud adds to an id and a date at its
 * end (`-20251001`) are ignored. Pure.
 */
export function costOf(model: string, usage: Usage, pricing: Readonly<Record<string, Price>>): number | null {
  const price = priceOf(model, usage, pricing)
  if (price === undefined) return null
  const cacheWrite = price.cacheWrite ?? price.input * 1.25
  const cacheRead = price.cacheRead ?? price.input * 0.1
  return (
    (usage.input_tokens * price.input +
      usage.output_tokens * price.output +
      usage.cache_creation_input_tokens * cacheWrite +
      usage.cache_read_input_tokens * cacheRead) /
      1_000_000 +
    (usage.web_search_requests ?? 0) * SEARCH_PRICE
  )
}

/** True if `costOf` knows a price for the model. */
export function isPriced(model: string, pricing: Readonly<Record<string, Price>>): boolean {
  return ownValue(pricing, model) !== undefined || ownValue(prices, undated(model)) !== undefined
}

function priceOf(model: string, usage: Usage, pricing: Readonly<Record<string, Price>>): Price | undefined {
  const named = ownValue(pricing, model)
  if (named !== undefined) return named
  const listed = ownValue(prices, undated(model))
  if (listed?.longPrompt === undefined) return listed
  const prompt = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
  return prompt > listed.longPrompt.above ? listed.longPrompt.price : listed
}

/** The id of the API itself: without a date, and without what Bedrock (`eu.anthropic.…-v1:0`, an ARN) and Vertex (`…@20251001`) add. */
function undated(model: string): string {
  return model
    .replace(/^(?:arn:aws[\w-]*:bedrock:[\w:-]*\/)?(?:[a-z]{2,6}\.)?anthropic\./, '')
    .replace(/-v\d+(?::\d+\w*)?$/, '')
    .replace(/[-@](?:20\d{6}|default)$/, '')
}

function ownValue<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
