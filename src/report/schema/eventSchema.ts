import * as z from 'zod'
import type { RunEvent } from '../../contracts/events.ts'
import { assistantMessageSchema, userMessageSchema } from './messageSchema.ts'
import { resultSchema } from './resultSchema.ts'
import { outcomeSchema, systemEventSchemas } from './systemEventSchemas.ts'

const owner = { parent_tool_use_id: z.string().nullable() }

/** Any event of a run. Unknown fields are kept: later versions of the format add fields and remove none. */
export const eventSchema = z.union([
  z
    .object({
      type: z.literal('assistant'),
      ...owner,
      message: assistantMessageSchema,
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
]) satisfies z.ZodType<RunEvent>

/** What a transcript adds to each event. */
export const stampSchema = z.object({
  v: z.literal(1),
  run: z.string(),
  session_id: z.string(),
  seq: z.int().positive(),
  ts: z.string().meta({ format: 'date-time' }),
  mono_ms: z.number(),
  prev: z.string().regex(/^[0-9a-f]{64}$/),
  uuid: z.uuid().exactOptional(),
  parentUuid: z.uuid().nullable().exactOptional(),
  timestamp: z.string().meta({ format: 'date-time' }).exactOptional(),
  sessionId: z.string().exactOptional(),
  isSidechain: z.boolean().exactOptional(),
  userType: z.literal('external').exactOptional(),
  gitBranch: z.string().exactOptional(),
  costUSD: z.number().exactOptional(),
  blobs: z
    .array(
      z.object({
        path: z.array(z.union([z.string(), z.number()])),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        length: z.number(),
        kept: z.number().exactOptional(),
      }),
    )
    .exactOptional(),
})
