import * as z from 'zod'
import type { AssistantMessage, Usage, UserMessage } from '../messages.ts'
import { contentBlockSchema, documentSchema, imageSchema, textSchema } from './contentSchemas.ts'

/** Token counts of one request. */
export const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  web_search_requests: z.number().exactOptional(),
}) satisfies z.ZodType<Usage>

/** Any JSON object: the input of a tool. */
export const inputSchema = z.record(z.string(), z.unknown())

const assistantContent = z.union([
  textSchema,
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: inputSchema }),
  z.looseObject({
    type: z.union([z.templateLiteral(['server_', z.string()]), z.templateLiteral(['web_search_', z.string()])]),
  }),
])

const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(contentBlockSchema)]),
  is_error: z.boolean().exactOptional(),
  references: z.array(z.string()).exactOptional(),
})

/** A user message in the wire shape of the Messages API. */
export const userMessageSchema: z.ZodType<UserMessage> = z.object({
  role: z.literal('user'),
  content: z.array(z.union([textSchema, imageSchema, documentSchema, toolResult])),
})

/** A whole answer in the wire shape of the Messages API. */
export const assistantMessageSchema: z.ZodType<AssistantMessage> = z.object({
  role: z.literal('assistant'),
  content: z.array(assistantContent),
  id: z.string(),
  type: z.literal('message'),
  model: z.string(),
  stop_reason: z.string().nullable(),
  usage: usageSchema,
  usage_estimated: z.boolean().exactOptional(),
})
