import { randomUUID } from 'node:crypto'
import type { ModelUsage, TranscriptRecord } from '../../contracts/events.ts'
import { VERSION } from '../../lib/version.ts'
import type { isPassing } from '../../report/transcript/transcript.ts'
import type { Json } from './openControl.ts'

/** What the results of a session add up to, in Claude Code's names. */
type Spent = { cost: number | null; readonly models: Map<string, ModelUsage> }

/** Turns the records of a session into the SDK's messages; undefined for one that is not for it. */
export function createSdkMessages(isInPassing: typeof isPassing): (record: TranscriptRecord) => Json | undefined {
  const spent: Spent = { cost: 0, models: new Map() }
  return (record) => {
    if (isInPassing(record) && record.type !== 'stream_event') return undefined
    const message = { uuid: randomUUID(), ...record }
    if (record.type === 'system' && record.subtype === 'init') return { claude_code_version: VERSION, ...message }
    if (record.type !== 'result') return message
    add(spent, record.total_cost_usd, record.modelUsage)
    return {
      ...message,
      ...(record.is_error ? { errors: [record.detail] } : {}),
      total_cost_usd: spent.cost,
      modelUsage: Object.fromEntries([...spent.models].map(([model, usage]) => [model, inCamelCase(usage)])),
    }
  }
}

function add(spent: Spent, cost: number | null, models: Readonly<Record<string, ModelUsage>>): void {
  spent.cost = sum(spent.cost, cost)
  for (const [model, usage] of Object.entries(models)) {
    const before = spent.models.get(model)
    if (before === undefined) spent.models.set(model, usage)
    else
      spent.models.set(model, {
        input_tokens: before.input_tokens + usage.input_tokens,
        output_tokens: before.output_tokens + usage.output_tokens,
        cache_read_input_tokens: before.cache_read_input_tokens + usage.cache_read_input_tokens,
        cache_creation_input_tokens: before.cache_creation_input_tokens + usage.cache_creation_input_tokens,
        web_search_requests: (before.web_search_requests ?? 0) + (usage.web_search_requests ?? 0),
        cost_usd: sum(before.cost_usd, usage.cost_usd),
        requests: before.requests + usage.requests,
      })
  }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Number((a + b).toFixed(9))
}

function inCamelCase(usage: ModelUsage): Json {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cacheReadInputTokens: usage.cache_read_input_tokens,
    cacheCreationInputTokens: usage.cache_creation_input_tokens,
    webSearchRequests: usage.web_search_requests ?? 0,
    costUSD: usage.cost_usd,
  }
}
