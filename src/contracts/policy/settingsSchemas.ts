import * as z from 'zod'

export const text = z.string().min(1)
export const texts = z.array(text)
export const textMap = z.record(text, z.string())
export const count = z.int().positive()
export const money = z.number().positive().finite()
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

/** One row of `tests:` in a policy. */
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

export const sandboxSchema = z
  .strictObject({
    mode: z
      .enum(['required', 'auto', 'off'])
      .describe('`required` exits with 69 if it does not start; `auto` by default'),
    wall: z.enum(['bubblewrap', 'landlock']).describe('The least that `required` accepts; `bubblewrap` by default'),
    network: z.enum(['none', 'allowlist', 'open']).describe('Network of commands: `none` by default in the sandbox'),
    allow: texts.describe('Hosts for `allowlist`: `example.com`, `*.example.com` or `host:port`'),
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
