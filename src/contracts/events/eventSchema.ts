import * as z from 'zod'
import { outcomeSchema, owner } from './eventParts.ts'
import { assistantMessageSchema, userMessageSchema } from './messageSchema.ts'
import { resultSchema } from './resultSchema.ts'
import { systemEventSchemas } from './systemEventSchemas.ts'

/** Any event of a run. Unknown fields are kept: later versions of the format add fields and remove none. */
export const eventSchema = z.union([
  z
    .object({
      type: z.literal('assistant'),
      ...owner,
      message: assistantMessageSchema,
      /** The API's id of the request; absent if it sent none. */
      requestId: z.string().exactOptional(),
    })
    .describe('An answer of the model, as the Messages API returns it.'),
  z
    .object({
      type: z.literal('user'),
      ...owner,
      message: userMessageSchema,
      tool_use_result: z.array(outcomeSchema).exactOptional(),
    })
    .describe('A message to the model: the task, tool results or context from hooks.'),
  z
    .object({ type: z.literal('stream_event'), ...owner, event: z.looseObject({ type: z.string() }) })
    .describe('A part of an answer as it arrives, with `--include-partial-messages`. Never in a transcript.'),
  resultSchema,
  ...systemEventSchemas,
])

/**
 * A text or a list too large for its record. It is stored as `blobs/<sha256>` beside the transcript, a list as JSON;
 * `path` is its place in the record. `kept`: how many items of a list are still in the record.
 */
const movedBody = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  length: z.number(),
  kept: z.number().exactOptional(),
})

/** What a transcript adds to each event. `prev` is the SHA-256 of the previous line. */
export const stampSchema = z.object({
  v: z.literal(1),
  run: z.string(),
  session_id: z.string(),
  seq: z.int().positive(),
  ts: z.string().meta({ format: 'date-time' }),
  mono_ms: z.number(),
  prev: z.string().regex(/^[0-9a-f]{64}$/),
  uuid: z.uuid().exactOptional(),
  /** The message before, in the same conversation. */
  parentUuid: z.uuid().nullable().exactOptional(),
  /** Equal to `ts`. */
  timestamp: z.string().meta({ format: 'date-time' }).exactOptional(),
  /** Equal to `session_id`. */
  sessionId: z.string().exactOptional(),
  /** True for messages of a sub-agent. */
  isSidechain: z.boolean().exactOptional(),
  userType: z.literal('external').exactOptional(),
  gitBranch: z.string().exactOptional(),
  /** The price of the answer in US dollars; absent if it is not known. */
  costUSD: z.number().exactOptional(),
  blobs: z.array(movedBody).exactOptional(),
})
