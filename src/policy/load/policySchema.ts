import * as z from 'zod'
import { PERMISSION_MODES } from '../../contracts/decision.ts'
import { EFFORTS, PROVIDERS } from '../../contracts/model.ts'
import { hooksSchema } from '../../contracts/policy/hooksSchema.ts'
import {
  agentSchema,
  checksSchema,
  count,
  envSchema,
  ledgerLimitSchema,
  mcpServerSchema,
  money,
  priceSchema,
  redactSchema,
  sandboxSchema,
  testSchema,
  text,
  textMap,
  texts,
} from '../../contracts/policy/settingsSchemas.ts'
import { parseDuration } from '../../lib/text/duration.ts'
import { presets } from '../presets.ts'

/** A bare number would not say whether it means seconds or minutes. */
const aDuration = { error: 'expected a duration such as 90s, 30m or 2h' }
const duration = z
  .string(aDuration)
  .refine((value) => !/^\s*\d+\s*$/.test(value) && (parseDuration(value) ?? 0) > 0, aDuration)

/** `run.ledger`: budgets across runs. */
const ledgerSchema = z
  .strictObject({
    folder: z.string().min(1).describe('Where runs write what they spend'),
    limits: z.array(ledgerLimitSchema).describe('Each in `usd` or `tokens`'),
  })
  .exactPartial()

/** `run:` of a policy, key by key. */
const runSchema = z
  .strictObject({
    provider: z.enum(PROVIDERS).describe('Who answers: the API or a gateway (`anthropic`), or a cloud'),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'expected an http or https address' })
      .describe('The address of a gateway, or of a private endpoint of the cloud'),
    modelIds: z
      .strictObject({
        opus: text.describe('The id for `opus`'),
        sonnet: text.describe('The id for `sonnet`, and for a run that names no model'),
        haiku: text.describe('The id for `haiku`'),
      })
      .exactPartial()
      .describe('The ids that `opus`, `sonnet` and `haiku` stand for'),
    apiKeyHelper: text.describe('A command line that prints the API key; it can name nothing in the checkout'),
    apiKeyHelperTtl: duration.describe('How long its key is used; `5m` by default'),
    model: text.describe('The model of the agent'),
    smallModel: text.describe('The model for small jobs: prompt hooks, web pages, `auto` mode'),
    expertModel: text.describe('The model for AskExpertModel and for sub-agents with `model: expert`'),
    fallbackModel: z.union([text, texts]).describe('Models to continue with when the API stays overloaded'),
    maxTurns: count.describe('Maximum number of model answers; 50 by default'),
    maxBudgetUsd: money.describe('Maximum cost in US dollars; 5 by default'),
    maxToolCalls: count.describe('Maximum number of tool calls; 500 by default'),
    maxDenials: count.describe('The run ends after this many denied calls; 20 by default'),
    maxTokensTotal: count.describe('Maximum number of tokens, in and out'),
    ledger: ledgerSchema.describe('Budgets across runs'),
    maxTokens: count.describe('Maximum output tokens of one answer; 32000 by default'),
    thinking: z
      .union([z.enum(['off', 'adaptive']), z.int().min(1024)], {
        error: 'expected `off`, `adaptive` or a budget of at least 1024 tokens',
      })
      .describe('A number is a thinking budget, for models before Claude 4.6'),
    effort: z.enum(EFFORTS).describe('Effort per answer, for Claude Opus 4.5 and models from Claude 4.6 on'),
    toolReferences: z.boolean().describe('Send loaded tools as references, which keeps the cache'),
    strictTools: z.boolean().describe('Let the API make calls match the schemas of tools'),
    contextWindow: count.describe('Maximum tokens of the conversation, which is compacted near it; 200000 by default'),
    timeout: duration.describe('Maximum time of the whole run, such as `30m` (the default)'),
    maxRetryWait: duration.describe('The longest `retry-after` to wait for; `2m` by default'),
    requireFinish: z.boolean().describe('True: only a call of Finish completes the run'),
    failOnDenied: z.boolean().describe('True: the run exits with 3 if any call was denied'),
    outputFormat: z.enum(['text', 'json', 'stream-json']).describe('What stdout carries; `text` by default'),
    systemPrompt: z.string().describe('Replaces the system prompt'),
    appendSystemPrompt: z.string().describe('Added to the system prompt'),
    params: textMap.describe('Values for `${{ params.NAME }}` in the prompt; `--param` beats them'),
    searchEndpoint: z
      .url({ protocol: /^https?$/, error: 'expected an http or https address' })
      .describe('Your search service for WebSearch: answers `GET <address>?q=…` with JSON'),
    answers: textMap.describe('Prepared answers for AskUserQuestion, by question'),
    maxResultCharacters: z
      .int()
      .min(1000)
      .describe('Longer tool results are cut to path, head and tail; 30000 by default'),
    bashTimeout: duration.describe('Time limit of a command that sets none; `2m` by default'),
    bashMaxTimeout: duration.describe('The longest time limit that a command may ask for; `10m` by default'),
    backgroundWait: duration.describe(
      'How long an agent that is done waits for its background commands; `5m` by default',
    ),
  })
  .exactPartial()

const permissions = z
  .strictObject({
    presets: z.array(z.enum(presets)).describe('Named sets of allow rules; `kode-run policy presets` lists them'),
    defaultMode: z.enum(PERMISSION_MODES).describe('What happens to a call that no rule covers'),
    allow: texts.describe('Calls that may run: `Tool` or `Tool(specifier)`, one string each'),
    ask: texts.describe('Calls that a PermissionRequest hook may allow; otherwise denied'),
    deny: texts.describe('Calls that never run; a deny beats every ask and allow'),
    additionalDirectories: texts.describe('More working directories; `--add-dir` adds to them'),
  })
  .exactPartial()

const mcpServers = z.record(
  z
    .string()
    .regex(/^[A-Za-z\d-]+(?:[._][A-Za-z\d-]+)*$/, 'a server name has letters, digits, `.`, `-` and single `_` only')
    .max(40, 'a server name has at most 40 characters'),
  mcpServerSchema.refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'a server has either a `command` or a `url`',
  }),
)

const target = z
  .string()
  .regex(/^(?:triggering|\*|[1-9]\d{0,9})$/, 'a target is `triggering`, `*` or a number')
  .describe('Issue or pull request: `triggering` (default), `*` for any, or its number')
const max = count.describe('Maximum number of proposals of this kind')
const paths = texts.exactOptional().describe('Globs of paths that it may change; `*` crosses `/`. All by default')
const outputs = z
  .strictObject({
    comment: z.strictObject({ max, target: target.exactOptional() }).describe('Comments on an issue or pull request'),
    review_comment: z
      .strictObject({ max, target: target.exactOptional() })
      .describe('Comments on lines of a pull request'),
    label: z
      .strictObject({
        max,
        allow: texts.exactOptional().describe('Globs of labels; all by default'),
        target: target.exactOptional(),
      })
      .describe('Labels on an issue or pull request'),
    issue: z.strictObject({ max }).describe('New issues'),
    pull_request: z.strictObject({ max, allow: paths }).describe('New pull requests, with the change of the run'),
    patch: z.strictObject({ max, allow: paths }).describe('Patches'),
  })
  .exactPartial()

/** A policy file, key by key. An unknown key is an error; docs/policy.md lists the descriptions. */
export const policySchema = z.strictObject({
  $schema: z.string().exactOptional().describe('The JSON Schema of this file, for editors'),
  version: z.literal(1).describe('The version of the policy format'),
  extends: z.union([text, texts]).exactOptional().describe('Policy files that this one extends, relative to this file'),
  permissions: permissions.exactOptional().describe('Rules: which calls may run'),
  hooks: hooksSchema.exactOptional().describe("Your programs that run on events of the run, in Claude Code's format"),
  mcpServers: mcpServers.exactOptional().describe('MCP servers by name, in the format of `.mcp.json`'),
  run: runSchema.exactOptional().describe('Model, limits and defaults of a run; flags beat these'),
  checks: checksSchema.exactOptional().describe('Commands that must succeed when the agent is done'),
  env: envSchema.exactOptional().describe('Environment of commands, besides a list of harmless variables'),
  sandbox: sandboxSchema.exactOptional().describe('What commands can see and reach'),
  redact: redactSchema
    .exactOptional()
    .describe('Text that never enters records, logs and requests, besides known secrets'),
  agents: z.record(text, agentSchema).exactOptional().describe('Sub-agents by name'),
  outputs: outputs.exactOptional().describe('What the agent may propose for `kode-run apply`'),
  pricing: z
    .record(text, priceSchema)
    .exactOptional()
    .describe('Prices of models that kode-run does not know, by model id'),
  memory: text.exactOptional().describe('Folder of the notes that the agent keeps between runs'),
  projectMcp: z.boolean().exactOptional().describe("True: also use the servers of the checkout's `.mcp.json`"),
  projectHooks: z
    .boolean()
    .exactOptional()
    .describe("True: also use the hooks of the checkout's `.claude/settings.json`"),
  plugins: z
    .array(
      z.strictObject({
        path: text.describe('The folder; starts at the project root'),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, 'a sha256 has 64 digits of 0 to 9 and a to f')
          .exactOptional()
          .describe('The hash of all its files; with another one the run does not start'),
      }),
    )
    .exactOptional()
    .describe("Plugins in Claude Code's layout; `--plugin-dir` adds to them"),
  tests: z.array(testSchema).exactOptional().describe('Calls and the expected decisions, for `kode-run policy test`'),
})

/** A policy file as written, after validation. */
export type PolicyInput = z.infer<typeof policySchema>

/** The JSON Schema of a policy file, as text. Editors use it for completion, and `kode-run policy schema` prints it. */
export function policyJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(policySchema, { io: 'input', reused: 'ref' })
  const titled = { $schema, title: 'kode-run policy', ...schema }
  return `${JSON.stringify(titled, undefined, 2)}\n`
}
