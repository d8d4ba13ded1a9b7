import * as z from 'zod'
import { PERMISSION_MODES } from '../../contracts/decision.ts'
import { eventDescriptions } from './eventDescriptions.ts'
import { initShape } from './initShape.ts'
import { inputSchema, usageSchema } from './messageSchema.ts'
import { enforcementSchema, leftovers } from './resultSchema.ts'
import { resumedShape } from './resumedShape.ts'

const owner = { parent_tool_use_id: z.string().nullable() }
const toolUse = { ...owner, tool_use_id: z.string(), tool_name: z.string() }
const network = z.object({ mode: z.string(), state: enforcementSchema })
const behavior = z.enum(['allow', 'ask', 'deny'])
const rule = z.object({ text: z.string(), list: behavior, file: z.string(), line: z.number() })

const REASON_TYPES = [
  'rule',
  'mode',
  'hook',
  'tool',
  'protected',
  'classifier',
  'opaque',
  'sandbox',
  'effect',
  'builtin',
  'audit',
  'headless',
] as const

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

/** The outcome of a tool call. */
export const outcomeSchema = z.object({
  tool_use_id: z.string(),
  tool_name: z.string(),
  outcome: z.enum(['ok', 'error', 'denied', 'invalid', 'aborted']),
  duration_ms: z.number(),
  rendering: z.string().exactOptional(),
  blob: z.string().exactOptional(),
  error_code: z.number().exactOptional(),
  error_meta: z.record(z.string(), z.unknown()).exactOptional(),
})

const apiError = z.enum([
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

function system<Subtype extends keyof typeof eventDescriptions, Shape extends z.ZodRawShape>(
  subtype: Subtype,
  shape: Shape,
) {
  const event = z.object({ type: z.literal('system'), subtype: z.literal(subtype), ...shape })
  return event.describe(eventDescriptions[subtype])
}

const changedPath = { path: z.string(), kind: z.enum(['created', 'modified', 'deleted', 'mode']) }
const refusedPath = z.object({
  ...changedPath,
  why: z.string(),
  rule: z.string().nullable(),
  source: z.string().nullable(),
  line: z.number().nullable(),
})

/** The events of type `system`, one schema each. */
export const systemEventSchemas = [
  system('init', initShape),
  system('tool_intent', {
    ...toolUse,
    tool_input: inputSchema,
    canonical: z.string().exactOptional(),
    is_read_only: z.boolean(),
    activity: z.string(),
    title: z.string().exactOptional(),
    path: z.string().exactOptional(),
    is_destructive: z.literal(true).exactOptional(),
  }),
  system('tool_progress', { ...toolUse, text: z.string() }),
  system('activity', { ...owner, text: z.string() }),
  system('permission_decision', {
    ...toolUse,
    decision: z.enum(['allow', 'deny']),
    behavior,
    reason: decisionReason,
    policy_sha256: z.string(),
    suggestion: z.string().exactOptional(),
  }),
  system('permission_denied', {
    ...toolUse,
    tool_input: inputSchema,
    agent_id: z.string().nullable(),
    decision_reason_type: z.enum(REASON_TYPES),
    decision_reason: z.string(),
    message: z.string(),
    rule: z.string().nullable(),
    source: z.string().nullable(),
    line: z.number().nullable(),
    suggestion: z.string().nullable(),
  }),
  system('effects', {
    ...toolUse,
    of: z.string().exactOptional(),
    state: z.enum(['enforced', 'watched']),
    kept: z.array(z.object(changedPath)),
    scratch: z.record(z.string(), z.number()),
    left_out: z.array(refusedPath),
    undone: z.array(refusedPath),
    unknown: z.string().exactOptional(),
    audited: z.array(z.string()).exactOptional(),
  }),
  system('api_retry', {
    ...owner,
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullable(),
    error: apiError,
    source: z.enum(['retry-after', 'backoff']),
    detail: z.string(),
  }),
  system('api_stall', { ...owner, phase: z.string(), silent_ms: z.number() }),
  system('turn_discarded', {
    ...owner,
    reason: z.string(),
    blocks: z.number(),
    early: z.array(outcomeSchema),
    message_id: z.string().exactOptional(),
    spent: z.object({ model: z.string(), usage: usageSchema }).exactOptional(),
  }),
  system('model_fallback', { ...owner, from: z.string(), to: z.string(), detail: z.string() }),
  system('model_call', {
    ...owner,
    purpose: z.string(),
    model: z.string(),
    prompt: z.string(),
    answer: z.string(),
    usage: usageSchema,
    cost_usd: z.number().nullable(),
    is_lower_bound: z.literal(true).exactOptional(),
  }),
  system('compact_boundary', {
    ...owner,
    compact_metadata: z.object({ trigger: z.enum(['auto', 'error']), pre_tokens: z.number(), post_tokens: z.number() }),
    summary: z.string(),
  }),
  system('resumed', resumedShape),
  system('mcp_unavailable', { server: z.string(), required: z.boolean(), detail: z.string() }),
  system('mcp_tools_changed', { server: z.string(), old: z.string(), new: z.string(), detail: z.string() }),
  system('hook', {
    ...owner,
    event: z.string(),
    hook: z.string(),
    outcome: z.enum(['ok', 'blocked', 'allowed', 'asked', 'failed', 'timeout']),
    detail: z.string(),
    duration_ms: z.number(),
    tool_use_id: z.string().exactOptional(),
  }),
  system('check', {
    command: z.string(),
    attempt: z.number(),
    ok: z.boolean(),
    exit_code: z.number().nullable(),
    duration_ms: z.number(),
    output: z.string(),
    leftovers: leftovers.exactOptional(),
  }),
  system('process_leaked', {
    count: z.number(),
    processes: z.array(z.object({ pid: z.number(), command: z.string(), killed: z.boolean() })),
  }),
  system('tools_loaded', { ...owner, tools: z.array(z.string()) }),
  system('finding', {
    ...owner,
    path: z.string(),
    line: z.number(),
    end_line: z.number().exactOptional(),
    severity: z.enum(['info', 'warning', 'error']),
    title: z.string(),
    message: z.string(),
  }),
  system('output_proposed', { ...owner, kind: z.string(), summary: z.string() }),
  system('tasks', {
    ...owner,
    tasks: z.array(z.object({ id: z.string(), subject: z.string(), status: z.string() })),
  }),
  system('status', { ...owner, status: z.string(), detail: z.string() }),
  system('integrity', {
    unaccounted_files: z.array(z.string()),
    command_files_touched: z.array(z.string()),
    processes_left: z.number(),
    sandbox: enforcementSchema,
    network,
  }),
  system('warning', { code: z.string(), message: z.string() }),
] as const
