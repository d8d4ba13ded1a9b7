import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Frozen } from '../contracts/Frozen.ts'
import { sortedKeys } from '../lib/text/json.ts'
import { featuresIn, TOOL_FEATURES } from './tools/toolFeatures.ts'

/** A request in the form in which recordings are compared, without meaningless differences between runs. */
export const canonicalRequestSchema = z.object({
  /** Equal for equal requests: SHA-256 over all that follows. */
  key: z.string(),
  /** Equal for the requests of one conversation; sub-agents and calls outside the loop have their own. */
  conversation: z.string(),
  model: z.string(),
  system: z.string(),
  toolNames: z.array(z.string()),
  tools: z.string(),
  /** One digest per message. */
  messages: z.array(z.string()),
  /** The latest message in words, to report a difference. */
  last: z.string(),
  /** The names of all calls so far, in order. */
  calls: z.array(z.string()),
  /** The forms of tools that not every API knows; undefined if none is used. */
  features: z.array(z.enum(TOOL_FEATURES)).exactOptional(),
  /** The thinking settings; undefined if not set. */
  thinking: z.string().exactOptional(),
})
export type CanonicalRequest = Frozen<z.infer<typeof canonicalRequestSchema>>

export type CanonicalOptions = {
  readonly redact: (text: string) => string
  /** Texts that mean "somewhere on this machine": project root, temporary folder, home. */
  readonly volatile: readonly string[]
}

/** Ids, dates, times and folders that are new in every run. */
const VOLATILE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/<environment>[\s\S]*?<\/environment>/g, '<environment>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g, '<sha>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<date>'],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, '<time>'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? (?:(?:[A-Z][a-z]{2,8} +\d+)|(?:\d+ [A-Z][a-z]{2,8}))(?:,? \d{4})?\b/g,
    '<date>',
  ],
  [/\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds)\b/g, '<duration>'],
  [/\b(duration_ms|time|took)([ :=]+)\d+(?:\.\d+)?/gi, '$1$2<duration>'],
  [/(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s"'`,;:)\]}<>]+/g, '<tmp>'],
  [/\b(127\.0\.0\.1|localhost):\d+/g, '$1:<port>'],
]

/** The pattern for temporary folders includes the random name below them. */
const TEMPORARY_ROOTS: ReadonlySet<string> = new Set(['/tmp', '/private/tmp', '/var/tmp'])

/** The canonical form of a request body that the SDK sends. Pure. */
export function canonicalRequest(body: string, options: CanonicalOptions): CanonicalRequest {
  const { model, system, tools, messages, thinking, output_config: output } = JSON.parse(body)
  const normalize = createNormalizer(options)
  const text = (value: unknown): string => normalize(stableJson(value))
  const messageTexts: string[] = (messages ?? []).map(text)
  const features = featuresIn(tools ?? [])
  const parts = {
    model: String(model),
    system: digest(text(system ?? '')),
    toolNames: (tools ?? []).map((tool: { name: unknown }) => String(tool.name)),
    tools: digest(text(tools ?? [])),
    messages: messageTexts.map(digest),
    calls: callsOf(messages ?? []),
    ...(features.length === 0 ? {} : { features }),
    ...(thinking === undefined && output === undefined ? {} : { thinking: stableJson({ thinking, output }) }),
  }
  return {
    key: digest(stableJson(parts)),
    conversation: digest(`${parts.system}\n${parts.messages[0] ?? ''}`),
    ...parts,
    last: messageTexts.at(-1) ?? '',
  }
}

function createNormalizer({ redact, volatile }: CanonicalOptions): (text: string) => string {
  const ids = new Map<string, string>()
  const places = volatile.filter((place) => place.length > 1 && !TEMPORARY_ROOTS.has(place))
  places.sort((a, b) => b.length - a.length)
  return (raw) => {
    let text = redact(raw)
    for (const place of places) text = text.replaceAll(place, '<place>')
    for (const [pattern, name] of VOLATILE_PATTERNS) text = text.replace(pattern, name)
    return text.replace(/\btoolu_\w+/g, (id) => {
      const known = ids.get(id) ?? `<call ${ids.size + 1}>`
      ids.set(id, known)
      return known
    })
  }
}

type Content = { readonly type?: unknown; readonly name?: unknown }

function callsOf(messages: readonly { readonly content?: unknown }[]): string[] {
  const blocks: Content[] = messages.flatMap((message) => (Array.isArray(message.content) ? message.content : []))
  return blocks.filter((block) => block.type === 'tool_use').map((block) => String(block.name))
}

/** JSON with sorted keys, without the cache marks that move between messages. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (key, part) => (key === 'cache_control' ? undefined : sortedKeys(key, part)))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
