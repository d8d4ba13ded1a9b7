import * as z from 'zod'
import {
  apiErrorSchema,
  behaviorSchema,
  decisionReasonSchema,
  ofRule,
  outcomeSchema,
  owner,
  reasonTypeSchema,
  system,
  toolUse,
} from './eventParts.ts'
import { initShape } from './initShape.ts'
import { findingShape } from './itemShapes.ts'
import { inputSchema, usageSchema } from './messageSchema.ts'
import { enforcementSchema, leftovers, networkSchema } from './resultSchema.ts'
import { resumedShape } from './resumedShape.ts'

/** Paths in the project are relative to its root. */
const changedPath = { path: z.string(), kind: z.enum(['created', 'modified', 'deleted', 'mode']) }
const refusedPath = z.object({
  ...changedPath,
  why: z.string(),
  ...ofRule,
})

/** The events of type `system`, one schema each. A new event needs a line here. */
export const systemEventSchemas = [
  system('init', 'The first event: what the run starts with, and what is in force.', initShape),
  system('tool_intent', 'A call is about to run. It is written before the call has any effect.', {
    ...toolUse,
    tool_input: inputSchema,
    /** The text that actually runs, if it is not the model's own. */
    canonical: z.string().exactOptional(),
    is_read_only: z.boolean(),
    activity: z.string(),
    /** The tool's name for people, if it differs. */
    title: z.string().exactOptional(),
    /** The file that the call is about, as the model wrote it. */
    path: z.string().exactOptional(),
    /** The call may destroy something that no later call can restore. */
    is_destructive: z.literal(true).exactOptional(),
  }),
  system('tool_progress', 'Progress of a running call, for the console and the library. Never in a transcript.', {
    ...toolUse,
    text: z.string(),
  }),
  system(
    'activity',
    'What the run waits for while no call runs, for the console and the library. Never in a transcript.',
    { ...owner, text: z.string() },
  ),
  system('permission_decision', 'The decision about a call, and its reason.', {
    ...toolUse,
    decision: z.enum(['allow', 'deny']),
    behavior: behaviorSchema,
    reason: decisionReasonSchema,
    policy_sha256: z.string(),
    /** On a call that only `--audit` let run: the rule that would allow it. */
    suggestion: z.string().exactOptional(),
  }),
  system(
    'permission_denied',
    'A call was denied: by which rule, file and line, and which policy edit would allow it.',
    {
      ...toolUse,
      tool_input: inputSchema,
      agent_id: z.string().nullable(),
      decision_reason_type: reasonTypeSchema,
      decision_reason: z.string(),
      message: z.string(),
      ...ofRule,
      /** The policy edit that would allow the call; null if there is none. */
      suggestion: z.string().nullable(),
    },
  ),
  system('effects', 'What a command changed, and what of it was kept, left out or undone.', {
    ...toolUse,
    /** Who changed it, if not the call's own command: a hook, a background command, an MCP server. */
    of: z.string().exactOptional(),
    state: z.enum(['enforced', 'watched']),
    kept: z.array(z.object(changedPath)),
    /** Files that need no rule, counted by top folder: ignored by git, or in `sandbox.writable`. */
    scratch: z.record(z.string(), z.number()),
    /** New paths that were left out, while the rest was kept. */
    left_out: z.array(refusedPath),
    /** Why nothing was kept. */
    undone: z.array(refusedPath),
    unknown: z.string().exactOptional(),
    /** The Edit rules that were missing under `--audit`. */
    audited: z.array(z.string()).exactOptional(),
  }),
  system('api_retry', 'A request failed and is sent again after a delay.', {
    ...owner,
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullable(),
    error: apiErrorSchema,
    source: z.enum(['retry-after', 'backoff']),
    detail: z.string(),
  }),
  system('api_stall', 'The API has been silent for a while.', { ...owner, phase: z.string(), silent_ms: z.number() }),
  system('turn_discarded', 'An answer of the model was incomplete or invalid. The conversation continues without it.', {
    ...owner,
    reason: z.string(),
    blocks: z.number(),
    /** Outcomes of read-only calls that the discarded message had already started. The model never sees them. */
    early: z.array(outcomeSchema),
    /** The discarded message, if it was already recorded. */
    message_id: z.string().exactOptional(),
    /** The minimum usage of a broken answer; a recorded one is counted in its own record. */
    spent: z.object({ model: z.string(), usage: usageSchema }).exactOptional(),
  }),
  system('model_fallback', 'The run continues with another model.', {
    ...owner,
    from: z.string(),
    to: z.string(),
    detail: z.string(),
  }),
  system('model_call', 'A model request outside the agent loop, such as compaction or the judge of `auto` mode.', {
    ...owner,
    purpose: z.string(),
    model: z.string(),
    prompt: z.string(),
    answer: z.string(),
    usage: usageSchema,
    cost_usd: z.number().nullable(),
    /** Set if the answer broke off: the actual usage may be higher. */
    is_lower_bound: z.literal(true).exactOptional(),
  }),
  system('compact_boundary', 'The conversation was compacted. It continues from `summary`.', {
    ...owner,
    compact_metadata: z.object({ trigger: z.enum(['auto', 'error']), pre_tokens: z.number(), post_tokens: z.number() }),
    /** The message that the conversation starts from after this point. */
    summary: z.string(),
  }),
  system('resumed', 'State that a resumed run continues from. It follows `init`.', resumedShape),
  system('mcp_unavailable', 'An MCP server did not start, or was lost.', {
    server: z.string(),
    required: z.boolean(),
    detail: z.string(),
  }),
  system('mcp_tools_changed', 'An MCP server offers other tools than before.', {
    server: z.string(),
    old: z.string(),
    new: z.string(),
    detail: z.string(),
  }),
  system('hook', 'A hook ran, and what it answered.', {
    ...owner,
    event: z.string(),
    hook: z.string(),
    outcome: z.enum(['ok', 'blocked', 'allowed', 'asked', 'failed', 'timeout']),
    detail: z.string(),
    duration_ms: z.number(),
    tool_use_id: z.string().exactOptional(),
  }),
  system('check', 'A command of `checks:` ran.', {
    command: z.string(),
    attempt: z.number(),
    ok: z.boolean(),
    exit_code: z.number().nullable(),
    duration_ms: z.number(),
    output: z.string(),
    /** What commands of the run left that the check may have used, and no rule covered. Absent if nothing is known of. */
    leftovers: leftovers.exactOptional(),
  }),
  system('process_leaked', 'Processes outlived the command that started them.', {
    count: z.number(),
    processes: z.array(z.object({ pid: z.number(), command: z.string(), killed: z.boolean() })),
  }),
  system('tools_loaded', 'ToolSearch loaded tools. They are offered from here on.', {
    ...owner,
    tools: z.array(z.string()),
  }),
  system('finding', 'A finding from ReportFinding. It becomes an annotation.', {
    ...owner,
    ...findingShape,
  }),
  system('output_proposed', 'The agent proposed an output for `kode-run apply`.', {
    ...owner,
    kind: z.string(),
    summary: z.string(),
  }),
  system('tasks', 'The shared task list changed.', {
    ...owner,
    tasks: z.array(z.object({ id: z.string(), subject: z.string(), status: z.string() })),
  }),
  system('status', 'A change of state that is not a fault, such as the permission mode or the working folder.', {
    ...owner,
    status: z.string(),
    detail: z.string(),
  }),
  system('integrity', 'Near the end: changes that no call accounts for, and what was in force.', {
    unaccounted_files: z.array(z.string()),
    command_files_touched: z.array(z.string()),
    processes_left: z.number(),
    sandbox: enforcementSchema,
    network: networkSchema,
  }),
  system('warning', 'Something to know that does not end the run.', { code: z.string(), message: z.string() }),
] as const
