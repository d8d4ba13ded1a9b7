import * as z from 'zod'
import { EXIT_CODES, type ExitReason } from '../errors.ts'
import { ofRule } from './eventParts.ts'
import { inputSchema, usageSchema } from './messageSchema.ts'

/** What is actually enforced, not what was requested. */
export const enforcementSchema = z.enum(['enforced', 'advisory', 'off'])

export const networkSchema = z.object({ mode: z.string(), state: enforcementSchema })

const exitReason = z.enum(Object.keys(EXIT_CODES) as [ExitReason, ...ExitReason[]])

export const pluginSchema = z.object({ name: z.string(), path: z.string(), sha256: z.string().exactOptional() })

const denial = z.object({
  tool_name: z.string(),
  tool_use_id: z.string(),
  tool_input: inputSchema,
  reason: z.string(),
  ...ofRule,
  suggestion: z.string().nullable(),
})

/** What a policy would need to let calls pass, and the calls for which no rule is offered, each with the reason. */
const suggestionSchema = z.object({
  /** Allow rules to add, and the calls that each is for, as people write them. */
  rules: z.array(z.object({ rule: z.string(), from: z.array(z.string()) })),
  refused: z.array(z.object({ call: z.string(), why: z.string() })),
})

/** Such as 3 files below `node_modules` (`path`, relative to the project), and the ids of the calls that changed them. */
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
  /** The tool uses that changed it, in order; absent in records of older versions. */
  by: z.array(z.string()).exactOptional(),
})

export const modelUsageSchema = usageSchema.extend({ cost_usd: z.number().nullable(), requests: z.number() })

const count = z.number().exactOptional()

/** In our names and in Claude Code's; the latter are absent in records of older versions. */
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

/** A branch, a tag, a stash or HEAD that the run made, moved or removed (`now` is null), and the files of its commits. */
const refChange = z.object({
  /** `refs/heads/main`; of a submodule with its folder before, `lib:refs/heads/main`. */
  name: z.string(),
  /** An object; for HEAD the branch that is checked out. */
  before: z.string().nullable(),
  now: z.string().nullable(),
  /** How many commits the run made there; null if nobody looked: too many moved, or it is one of `refs/remotes`. */
  commits: z.number().nullable(),
  files: z.array(z.string()),
})

/** `cut`: it still ran and was ended with the run. */
const background = z.object({
  name: z.string(),
  command: z.string(),
  state: z.enum(['exited', 'killed', 'cut']),
  exit_code: z.number().nullable(),
})

/** The last event of a run, and what `--output-format json` prints. `success` only with exit code 0. */
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
    /** One sentence on how the run ended, for people. */
    detail: z.string(),
    result: z.string(),
    structured_output: z.unknown(),
    num_turns: z.number(),
    num_tool_calls: z.number(),
    duration_ms: z.number(),
    duration_api_ms: z.number(),
    /** Null if a used model has no known price. */
    total_cost_usd: z.number().nullable(),
    /** Set if answers broke off: only the usage that the API reported for them is counted. */
    cost_is_lower_bound: z.literal(true).exactOptional(),
    usage: usageSchema,
    modelUsage: z.record(z.string(), resultUsage),
    permission_denials: z.array(denial),
    /** The rules for calls that were denied, or that only `--audit` allowed. Absent if there are none. */
    suggested: suggestionSchema.exactOptional(),
    checks: z.array(check),
    /** The background commands of the run. Absent if there were none. */
    background: z.array(background).exactOptional(),
    /** As in the first record. Absent if there were none. */
    plugins: z.array(pluginSchema).exactOptional(),
    changes: z.array(change),
    /** Absent if no name of git's moved. */
    refs: z.array(refChange).exactOptional(),
    /** `git diff` against the start, or null with the reason in `patch_note`. */
    patch: z.string().nullable(),
    patch_note: z.string().nullable(),
    warnings: z.array(z.string()),
    session_id: z.string(),
    transcript_path: z.string(),
    stop_reason: z.string().nullable(),
    sandbox: enforcementSchema,
    network: networkSchema,
  })
  .describe('The last event: how the run ended. `--output-format json` prints this object.')
