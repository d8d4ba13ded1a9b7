import * as z from 'zod'
import { PERMISSION_MODES } from '../contracts/decision.ts'
import { HOOK_EVENTS, type HookEventName } from '../contracts/settings.ts'
import { parseDuration } from '../lib/duration.ts'

const text = z.string().min(1)
const texts = z.array(text)
const textMap = z.record(text, z.string())
const count = z.int().positive()
const seconds = z.number().positive().finite()
const aDuration = { error: 'expected a length of time such as 90s, 30m or 2h' }
const duration = z.union(
  [z.string().refine((value) => (parseDuration(value) ?? 0) > 0, aDuration), z.number().positive().finite()],
  aDuration,
)
const rules = z.array(text).describe('Rules: `Tool` or `Tool(specifier)`, one string each')

const permissions = z
  .strictObject({
    presets: z.array(z.enum(['read-only'])).describe('Sets of allow rules; they show up as rules of their own'),
    defaultMode: z.enum(PERMISSION_MODES).describe('How calls are treated that no rule mentions'),
    allow: rules,
    ask: rules.describe('Calls that need consent: hooks may give it, otherwise they are denied'),
    deny: rules.describe('Never allowed, whatever else is'),
    additionalDirectories: texts.describe('Folders besides the project that count as working directories'),
  })
  .exactPartial()

const hookCommon = {
  timeout: seconds.exactOptional().describe('Seconds; 60 by default'),
  onError: z.enum(['deny', 'continue']).exactOptional().describe('What a failing hook does on an event that can block'),
  if: text.exactOptional().describe('A permission rule; the hook runs only for calls that it matches'),
}
const hook = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('command'),
    command: text,
    args: z.array(z.string()).exactOptional(),
    ...hookCommon,
  }),
  z.strictObject({
    type: z.literal('http'),
    url: text,
    headers: textMap.exactOptional(),
    allowedEnvVars: texts.exactOptional(),
    ...hookCommon,
  }),
  z.strictObject({ type: z.literal('prompt'), prompt: text, model: text.exactOptional(), ...hookCommon }),
])
const hookGroups = z.array(z.strictObject({ matcher: z.string().exactOptional(), hooks: z.array(hook) }))
const hooks = z.strictObject(
  Object.fromEntries(HOOK_EVENTS.map((event) => [event, hookGroups.exactOptional()])) as Record<
    HookEventName,
    z.ZodExactOptional<typeof hookGroups>
  >,
)

const mcpServer = z.strictObject({
  type: z.enum(['stdio', 'http', 'sse']).exactOptional(),
  command: text.exactOptional(),
  args: z.array(z.string()).exactOptional(),
  env: textMap.exactOptional(),
  cwd: text.exactOptional(),
  url: text.exactOptional(),
  headers: textMap.exactOptional(),
  required: z.boolean().exactOptional().describe('True by default: the run does not start without it'),
  tools: texts.exactOptional().describe('Globs on tool names; only these are offered'),
  startTimeout: seconds.exactOptional().describe('Seconds for start-up; 15 by default'),
  timeout: seconds.exactOptional().describe('Seconds for one call; 600 by default'),
  sandbox: z.boolean().exactOptional(),
})
const mcpServers = z.record(
  z
    .string()
    .regex(/^[A-Za-z\d-]+(?:[._][A-Za-z\d-]+)*$/, 'a server name has letters, digits, `.`, `-` and single `_` only')
    .max(40, 'a server name has at most 40 characters'),
  mcpServer.refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'a server has either a `command` or a `url`',
  }),
)

const run = z
  .strictObject({
    model: text,
    smallModel: text,
    expertModel: text,
    fallbackModel: z.union([text, texts]),
    maxTurns: count,
    maxBudgetUsd: z.number().positive().finite(),
    maxToolCalls: count,
    maxDenials: count,
    maxTokensTotal: count,
    maxTokens: count.describe('Output tokens of one answer'),
    contextWindow: count.describe('Tokens that a conversation may have; 200000 by default. Near them it is compacted'),
    timeout: duration.describe('The whole run'),
    maxRetryWait: duration,
    requireFinish: z.boolean(),
    failOnDenied: z.boolean(),
    outputFormat: z.enum(['text', 'json', 'stream-json']),
    systemPrompt: z.string(),
    appendSystemPrompt: z.string(),
    params: textMap,
    searchEndpoint: z
      .url({ protocol: /^https?$/, error: 'expected an http or https address' })
      .describe('A search service for WebSearch: `GET <address>?q=…` answers JSON. Without one the API searches'),
    answers: textMap.describe('Question → answer, for AskUserQuestion'),
    bashTimeout: duration,
    bashMaxTimeout: duration,
  })
  .exactPartial()

const agent = z.strictObject({
  description: text,
  prompt: text,
  tools: z.union([z.literal('*'), texts]).exactOptional(),
  model: text.exactOptional(),
  maxTurns: count.exactOptional(),
})

const target = z
  .string()
  .regex(/^(?:triggering|\*|[1-9]\d{0,9})$/, 'a target is `triggering`, `*` or a number')
  .describe('The issue or pull request: `triggering` (default), `*` for any, or its number')
const outputs = z
  .strictObject({
    comment: z.strictObject({ max: count, target: target.exactOptional() }),
    label: z.strictObject({
      max: count,
      allow: texts.exactOptional().describe('Globs of labels; all by default'),
      target: target.exactOptional(),
    }),
    issue: z.strictObject({ max: count }),
    pull_request: z.strictObject({
      max: count,
      allow: texts.exactOptional().describe('Globs of paths; `*` crosses `/`'),
    }),
    patch: z.strictObject({ max: count, allow: texts.exactOptional().describe('Globs of paths; `*` crosses `/`') }),
  })
  .exactPartial()

const dollars = z.number().nonnegative().finite().describe('US dollars per million tokens')
const price = z.strictObject({
  input: dollars,
  output: dollars,
  cacheWrite: dollars.exactOptional(),
  cacheRead: dollars.exactOptional(),
})

const test = z.strictObject({
  call: z.union([text, z.strictObject({ tool: text, input: z.record(z.string(), z.unknown()) })]),
  expect: z.enum(['allow', 'deny', 'ask']),
  rule: text.exactOptional().describe('The text of the rule that must decide'),
})

/** A policy file, key by key. An unknown key is an error; what a key means stands in the README. */
export const policySchema = z.strictObject({
  $schema: z.string().exactOptional(),
  version: z.literal(1),
  extends: z.union([text, texts]).exactOptional().describe('Policies this one adds to, relative to this file'),
  permissions: permissions.exactOptional(),
  hooks: hooks.exactOptional(),
  mcpServers: mcpServers.exactOptional(),
  run: run.exactOptional(),
  checks: z
    .strictObject({ attempts: count, commands: texts, protect: texts })
    .exactPartial()
    .exactOptional()
    .describe('Commands that must succeed after the agent has finished'),
  env: z.strictObject({ pass: texts, set: textMap, secrets: texts }).exactPartial().exactOptional(),
  sandbox: z
    .strictObject({
      mode: z.enum(['required', 'auto', 'off']),
      network: z.enum(['none', 'allowlist', 'open']),
      allow: texts,
      writable: texts.describe('Folders besides the checkout that commands may write, and that are not judged'),
      readable: texts.describe('Paths besides the system and toolchains that commands may read'),
    })
    .exactPartial()
    .exactOptional(),
  redact: z.strictObject({ env: texts, patterns: texts }).exactPartial().exactOptional(),
  agents: z.record(text, agent).exactOptional(),
  outputs: outputs
    .exactOptional()
    .describe('What the agent may propose for `kode-run apply`, with the most of each kind'),
  pricing: z.record(text, price).exactOptional(),
  memory: text.exactOptional().describe('Folder for what is kept between runs'),
  projectMcp: z.boolean().exactOptional().describe("Take servers from the checkout's `.mcp.json`"),
  projectHooks: z.boolean().exactOptional().describe("Take hooks from the checkout's `.claude/settings.json`"),
  tests: z.array(test).exactOptional(),
})

/** A policy file as written, after validation. */
export type PolicyInput = z.infer<typeof policySchema>

/** Keys whose feature is not built yet, as paths (`outputs`, `run.fallbackModel`): refused by name, never ignored. */
export const NOT_YET: readonly string[] = []
