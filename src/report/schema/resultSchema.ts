import * as z from 'zod'
import { EXIT_CODES, type ExitReason } from '../../contracts/errors.ts'
import type { ResultEvent } from '../../contracts/events.ts'
import { inputSchema, usageSchema } from './messageSchema.ts'

export const enforcementSchema = z.enum(['enforced', 'advisory', 'off'])

const exitReason = z.enum(Object.keys(EXIT_CODES) as [ExitReason, ...ExitReason[]])

export const pluginSchema = z.object({ name: z.string(), path: z.string(), sha256: z.string().exactOptional() })

const denial = z.object({
  tool_name: z.string(),
  tool_use_id: z.string(),
  tool_input: inputSchema,
  reason: z.string(),
  rule: z.string().nullable(),
  source: z.string().nullable(),
  line: z.number().nullable(),
  suggestion: z.string().nullable(),
})

const suggestion = z.object({
  rules: z.array(z.object({ rule: z.string(), from: z.array(z.string()) })),
  refused: z.array(z.object({ call: z.string(), why: z.string() })),
})

/** What a check may have used that no rule covered. */
export const leftovers = z.array(
  z.object({ what: z.string(), path: z.string().exactOptional(), by: z.array(z.string()) }),
)

const check = z.object({
  command: z.string(),
  ok: z.boolean(),
  exit_code: z.number().nullable(),
  attempts: z.number(),
  leftovers: leftovers.exactOptional(),
})

const change = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed']),
  added: z.number(),
  removed: z.number(),
  by: z.array(z.string()).exactOptional(),
})

export const modelUsageSchema = usageSchema.extend({ cost_usd: z.number().nullable(), requests: z.number() })

const count = z.number().exactOptional()

/** Claude Code's names for the same counts. */
const resultUsage = modelUsageSchema.extend({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
  webSearchRequests: count,
  costUSD: count,
  contextWindow: count,
  maxOutputTokens: count,
})

const refChange = z.object({
  name: z.string(),
  before: z.string().nullable(),
  now: z.string().nullable(),
  commits: z.number().nullable(),
  files: z.array(z.string()),
})

const background = z.object({
  name: z.string(),
  command: z.string(),
  state: z.enum(['exited', 'killed', 'cut']),
  exit_code: z.number().nullable(),
})

/** The last event of a run, and what `--output-format json` prints. */
export const resultSchema = z
  .object({
    type: z.literal('result'),
    subtype: z.enum([
      'success',
      'error_max_turns',
      'error_max_budget_usd',
      'error_max_structured_output_retries',
      'error_during_execution',
    ]),
    is_error: z.boolean(),
    exit_code: z.number(),
    exit_reason: exitReason,
    detail: z.string(),
    result: z.string(),
    structured_output: z.unknown(),
    num_turns: z.number(),
    num_tool_calls: z.number(),
    duration_ms: z.number(),
    duration_api_ms: z.number(),
    total_cost_usd: z.number().nullable(),
    cost_is_lower_bound: z.literal(true).exactOptional(),
    usage: usageSchema,
    modelUsage: z.record(z.string(), resultUsage),
    permission_denials: z.array(denial),
    suggested: suggestion.exactOptional(),
    checks: z.array(check),
    background: z.array(background).exactOptional(),
    plugins: z.array(pluginSchema).exactOptional(),
    changes: z.array(change),
    refs: z.array(refChange).exactOptional(),
    patch: z.string().nullable(),
    patch_note: z.string().nullable(),
    warnings: z.array(z.string()),
    session_id: z.string(),
    transcript_path: z.string(),
    stop_reason: z.string().nullable(),
    sandbox: enforcementSchema,
    network: z.object({ mode: z.string(), state: enforcementSchema }),
  })
  .describe(
    'The last event: how the run ended. `--output-format json` prints this object.',
  ) satisfies z.ZodType<ResultEvent>
