import * as z from 'zod'
import { type DecisionReason, PERMISSION_MODES } from '../decision.ts'

/** Set on events of a sub-agent: the `Agent` tool use they belong to. Null in the main loop. */
export const owner = { parent_tool_use_id: z.string().nullable() }
export const toolUse = { ...owner, tool_use_id: z.string(), tool_name: z.string() }
export const behaviorSchema = z.enum(['allow', 'ask', 'deny'])
/** The deciding rule: its text, its file, its 1-based line. Null if no rule decided. */
export const ofRule = { rule: z.string().nullable(), source: z.string().nullable(), line: z.number().nullable() }
const rule = z.object({ text: z.string(), list: behaviorSchema, file: z.string(), line: z.number() })

const decisionReason = z.discriminatedUnion('type', [
  z.object({ type: z.literal('rule'), rule }),
  z.object({ type: z.literal('mode'), mode: z.enum(PERMISSION_MODES) }),
  z.object({ type: z.literal('hook'), event: z.string(), hook: z.string(), detail: z.string() }),
  z.object({ type: z.literal('tool'), tool: z.string(), detail: z.string() }),
  z.object({ type: z.literal('protected'), path: z.string(), detail: z.string() }),
  z.object({ type: z.literal('effect'), path: z.string(), detail: z.string() }),
  z.object({ type: z.literal('classifier'), model: z.string(), detail: z.string() }),
  z.object({ type: z.enum(['opaque', 'sandbox', 'builtin', 'audit', 'headless']), detail: z.string() }),
])

export const decisionReasonSchema: z.ZodType<DecisionReason> = decisionReason
export const reasonTypeSchema = z.enum(
  decisionReason.options.flatMap(({ shape: { type } }) => ('options' in type ? type.options : [...type.values])),
)

export const outcomeSchema = z.object({
  tool_use_id: z.string(),
  tool_name: z.string(),
  outcome: z.enum(['ok', 'error', 'denied', 'invalid', 'aborted']),
  duration_ms: z.number(),
  /** Markdown for reports: a diff, the last lines of a command. */
  rendering: z.string().exactOptional(),
  /** `blobs/<sha256>` if the full result was too large. */
  blob: z.string().exactOptional(),
  /** For a call that its tool refused as invalid: the tool's own number for the fault. */
  error_code: z.number().exactOptional(),
  error_meta: z.record(z.string(), z.unknown()).exactOptional(),
})

/** Categories of API errors, as in Claude Code's `system/api_retry`. */
export const apiErrorSchema = z.enum([
  'authentication_failed',
  'billing_error',
  'rate_limit',
  'overloaded',
  'invalid_request',
  'context_too_long',
  'request_too_large',
  'model_not_found',
  'server_error',
  'connection',
  'stalled',
  'bad_stream',
  'unknown',
])

/** An event of type `system`; `description` is for the JSON Schema and docs/transcript.md. */
export function system<Subtype extends string, Shape extends z.ZodRawShape>(
  subtype: Subtype,
  description: string,
  shape: Shape,
) {
  return z.object({ type: z.literal('system'), subtype: z.literal(subtype), ...shape }).describe(description)
}
