import * as z from 'zod'
import { contentBlockSchema, documentSchema, imageSchema, textSchema } from './contentSchemas.ts'

export const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  /** Searches that the API made; they are paid for one by one. */
  web_search_requests: z.number().exactOptional(),
})

/** Any JSON object: the input of a tool. */
export const inputSchema = z.record(z.string(), z.unknown())

export const toolUseSchema = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: inputSchema,
})

const assistantContent = z.union([
  textSchema,
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  toolUseSchema,
  // Blocks of server-side tools (web search) and of later API versions: kept and sent back as they came.
  z.looseObject({
    type: z.union([z.templateLiteral(['server_', z.string()]), z.templateLiteral(['web_search_', z.string()])]),
  }),
])

export const toolResultSchema = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(contentBlockSchema)]),
  is_error: z.boolean().exactOptional(),
  /** The tools that this result loads. Not a field of the API: sent as `tool_reference` blocks, or not at all. */
  references: z.array(z.string()).exactOptional(),
})

export const userMessageSchema = z.object({
  role: z.literal('user'),
  content: z.array(z.union([textSchema, imageSchema, documentSchema, toolResultSchema])),
})

export const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  content: z.array(assistantContent),
  id: z.string(),
  type: z.literal('message'),
  model: z.string(),
  stop_reason: z.string().nullable(),
  usage: usageSchema,
  /** True if the API sent no usable counts, so that `usage` is an estimate from the length of the text. */
  usage_estimated: z.boolean().exactOptional(),
})
