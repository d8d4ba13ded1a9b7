import * as z from 'zod'

/** Token counts of one request. */
export const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  web_search_requests: z.number().exactOptional(),
})

const text = z.object({ type: z.literal('text'), text: z.string() })
const image = z.object({
  type: z.literal('image'),
  source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
})
const document = z.object({
  type: z.literal('document'),
  source: z.object({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: z.string() }),
  title: z.string().exactOptional(),
})

/** Any JSON object: the input of a tool. */
export const inputSchema = z.record(z.string(), z.unknown())

const assistantContent = z.union([
  text,
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
  content: z.union([z.string(), z.array(z.union([text, image, document]))]),
  is_error: z.boolean().exactOptional(),
})

/** A user message in the wire shape of the Messages API. */
export const userMessageSchema = z.object({
  role: z.literal('user'),
  content: z.array(z.union([text, image, document, toolResult])),
})

/** A whole answer in the wire shape of the Messages API. */
export const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  content: z.array(assistantContent),
  id: z.string(),
  type: z.literal('message'),
  model: z.string(),
  stop_reason: z.string().nullable(),
  usage: usageSchema,
  usage_estimated: z.boolean().exactOptional(),
})
