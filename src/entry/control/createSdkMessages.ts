import { randomUUID } from 'node:crypto'
import type { ClaudeModelUsage, ResultEvent, TranscriptRecord } from '../../contracts/events.ts'
import { addCost, type UserContent } from '../../contracts/messages.ts'
import { isObject } from '../../lib/isObject.ts'
import { VERSION } from '../../lib/version.ts'
import { isPassing } from '../../report/transcript/transcript.ts'
import type { Json } from './openControl.ts'

/** What the results of a session add up to. */
type Spent = {
  cost: number | null
  readonly models: Map<string, { readonly [Name in keyof ClaudeModelUsage]?: ClaudeModelUsage[Name] | undefined }>
}

/** Turns the records of a session into the SDK's messages; undefined for one that is not for it. */
export function createSdkMessages(): (record: TranscriptRecord) => Json | undefined {
  const spent: Spent = { cost: 0, models: new Map() }
  return (record) => {
    if (record.type === 'stream_event') return { uuid: randomUUID(), ...record }
    if (isPassing(record)) return undefined
    if (record.type === 'system' && record.subtype === 'init') return { claude_code_version: VERSION, ...record }
    if (record.type !== 'result') return record
    add(spent, record)
    return {
      ...record,
      ...(record.is_error ? { errors: [record.detail] } : {}),
      total_cost_usd: spent.cost,
      modelUsage: Object.fromEntries(spent.models),
    }
  }
}

const COUNTS = [
  'inputTokens',
  'outputTokens',
  'cacheReadInputTokens',
  'cacheCreationInputTokens',
  'webSearchRequests',
] as const

function add(spent: Spent, { total_cost_usd, modelUsage }: ResultEvent): void {
  spent.cost = addCost(spent.cost, total_cost_usd)
  for (const [model, usage] of Object.entries(modelUsage)) {
    const before = spent.models.get(model)
    const cost = addCost(before === undefined ? 0 : (before.costUSD ?? null), usage.cost_usd)
    const counts = COUNTS.map((name) => [name, (before?.[name] ?? 0) + (usage[name] ?? 0)] as const)
    const { contextWindow, maxOutputTokens } = usage
    spent.models.set(model, {
      ...Object.fromEntries(counts),
      contextWindow,
      maxOutputTokens,
      ...(cost === null ? {} : { costUSD: cost }),
    })
  }
}

export type UserMessage = {
  readonly prompt: string
  readonly attachments: readonly UserContent[]
  /** Interrupts its run, or keeps it from starting. */
  readonly controller: AbortController
}

/** The prompt is the text of a message; images and documents go beside it. */
export function readUserMessage({ message }: Json): UserMessage {
  const content = isObject(message) ? message['content'] : ''
  const blocks = [content].flat().filter(isObject)
  const isAttached = ({ type, source }: Json) =>
    (type === 'image' || type === 'document') && isObject(source) && source['type'] === 'base64'
  const texts =
    typeof content === 'string' ? [content] : blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : []))
  const others = blocks.filter((block) => block['type'] !== 'text' && !isAttached(block)).map(({ type }) => type)
  const left = others.length === 0 ? [] : [`(Left out of this message: ${others.join(', ')}.)`]
  return {
    prompt: [...texts, ...left].join('\n\n'),
    attachments: blocks.filter(isAttached) as unknown as UserContent[],
    controller: new AbortController(),
  }
}
