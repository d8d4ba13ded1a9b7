import * as z from 'zod'
import { EFFORTS, PROVIDERS } from '../model.ts'

export const text = z.string().min(1)
export const texts = z.array(text)
export const textMap = z.record(text, z.string())
export const count = z.int().positive()
const money = z.number().positive().finite()
const seconds = z.number().positive().finite()

/** An MCP server, in the shape of `.mcp.json` plus `required`, `tools`, `timeout`, `sandbox`. */
export const mcpServerSchema = z.strictObject({
  type: z
    .enum(['stdio', 'http', 'sse'])
    .exactOptional()
    .describe('The transport; by default `stdio` for a `command`, `http` for a `url`'),
  command: text.exactOptional().describe('The program of a stdio server'),
  args: z.array(z.string()).exactOptional().describe('Its arguments'),
  env: textMap.exactOptional().describe('Its environment variables; `${VAR}` and `${VAR:-default}` are filled in'),
  cwd: text.exactOptional().describe('The folder that it starts in'),
  url: text.exactOptional().describe('The address of an http or sse server'),
  headers: textMap.exactOptional().describe('Headers of each request; `${VAR}` is filled in'),
  headersHelper: text.exactOptional().describe('A command that prints more headers as JSON, for each connection'),
  oauth: z
    .strictObject({
      clientId: text.describe('The id of the client'),
      clientSecret: text.describe('Its secret, as `${VARIABLE}`'),
      issuer: text.describe('The address of the only authorization server that gets them'),
      scopes: text.exactOptional().describe('The scopes to ask for; by default those that the server names'),
    })
    .exactOptional()
    .describe('OAuth 2 client credentials for an http or sse server'),
  required: z.boolean().exactOptional().describe('True by default: the run does not start without it'),
  tools: texts.exactOptional().describe('Globs on tool names; only these are offered'),
  startTimeout: seconds.exactOptional().describe('Seconds for start-up; 15 by default'),
  timeout: seconds.exactOptional().describe('Seconds for one call; 600 by default'),
  sandbox: z.boolean().exactOptional().describe('True: a stdio server runs in the sandbox'),
  roots: z
    .boolean()
    .exactOptional()
    .describe('True: it gets the folders of the run as MCP roots, also after EnterWorktree'),
})

/** A sub-agent as the policy or a front matter defines it. */
export const agentSchema = z.strictObject({
  description: text.describe('When to use it; the agent reads this'),
  prompt: text.describe('Its system prompt'),
  tools: z
    .union([z.literal('*'), texts])
    .exactOptional()
    .describe('Tools it may use; all tools of its caller by default'),
  model: text.exactOptional().describe('A model id, or `inherit`, `small`, `main`, `expert`'),
  maxTurns: count.exactOptional().describe('Maximum number of its answers; 30 by default'),
  maxBudgetUsd: money
    .exactOptional()
    .describe('Maximum cost of one such agent in US dollars; that of the run by default'),
})

const dollars = z.number().nonnegative().finite()

export const priceSchema = z.strictObject({
  input: dollars.describe('Input tokens: US dollars per million'),
  output: dollars.describe('Output tokens: US dollars per million'),
  cacheWrite: dollars.exactOptional().describe('Tokens written to the cache: US dollars per million'),
  cacheRead: dollars.exactOptional().describe('Tokens read from the cache: US dollars per million'),
})

export const testSchema = z.strictObject({
  call: z
    .union([
      text,
      z.strictObject({
        tool: text.describe('The name of the tool'),
        input: z.record(z.string(), z.unknown()).describe('The input of the call'),
      }),
    ])
    .describe('The call: text such as `Bash(npm test)`, or a tool and its input'),
  expect: z.enum(['allow', 'deny', 'ask']).describe('What the rules must decide'),
  rule: text.exactOptional().describe('The text of the rule that must decide'),
})

export const checksSchema = z
  .strictObject({
    attempts: count.describe('How often the agent may try to pass them; 2 by default'),
    commands: texts.describe('Command lines; each must exit with 0'),
    prepare: texts.describe('Command lines that make ignored files anew first, such as `npm ci`'),
    leftovers: z
      .enum(['report', 'fail'])
      .describe('Ignored files that commands changed are named with a check (default), or fail it'),
    protect: texts.describe('Globs of files that a green run must not change'),
    findings: z.enum(['error', 'warning']).describe('A finding of this level, or worse, makes the run not green'),
  })
  .exactPartial()

export const envSchema = z
  .strictObject({
    pass: texts.describe('Names or patterns (`FOO_*`) of variables that commands get'),
    set: textMap.describe('Variables that commands get, with their values'),
    secrets: texts.describe('Names of variables that commands get although they look like secrets'),
  })
  .exactPartial()

const host = z
  .string()
  .regex(
    /^\s*(?:\*\.)?(?:\[[0-9a-fA-F:.]+\]|[^\s:/*@[\]]+)(?::\d{1,5})?\s*$/,
    'expected `example.com`, `*.example.com` or `host:port`',
  )

export const sandboxSchema = z
  .strictObject({
    mode: z
      .enum(['required', 'auto', 'off'])
      .describe('`required` exits with 69 if it does not start; `auto` by default'),
    wall: z.enum(['bubblewrap', 'landlock']).describe('The least that `required` accepts; `bubblewrap` by default'),
    network: z.enum(['none', 'allowlist', 'open']).describe('Network of commands: `none` by default in the sandbox'),
    allow: z.array(host).describe('Hosts for `allowlist`: `example.com`, `*.example.com` or `host:port`'),
    writable: texts.describe('More folders that commands may write; changes there are not judged'),
    readable: texts.describe('Paths that commands may read, besides the checkout, the system and toolchains'),
  })
  .exactPartial()

export const redactSchema = z
  .strictObject({
    env: texts.describe('Names of variables whose values are redacted'),
    patterns: texts.describe('Regular expressions of text that is redacted'),
  })
  .exactPartial()

/** A limit across runs, in money or in tokens. */
export const ledgerLimitSchema = z
  .strictObject({
    usd: z.number().positive().finite().exactOptional().describe('US dollars'),
    tokens: z.int().positive().exactOptional().describe('Or tokens'),
    every: z.enum(['day', 'month']).exactOptional().describe('By UTC'),
    per: z.enum(['repository', 'workflow']).exactOptional().describe('For each'),
  })
  .refine(({ usd, tokens }) => (usd === undefined) !== (tokens === undefined), {
    error: 'a limit has either `usd` or `tokens`',
  })

const ledgerSchema = z
  .strictObject({
    folder: z.string().min(1).describe('Where runs write what they spend'),
    limits: z.array(ledgerLimitSchema).describe('Each in `usd` or `tokens`'),
  })
  .exactPartial()

export function runSchema(duration: z.ZodType<string>) {
  return z
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
      contextWindow: count.describe(
        'Maximum tokens of the conversation, which is compacted near it; 200000 by default',
      ),
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
}
