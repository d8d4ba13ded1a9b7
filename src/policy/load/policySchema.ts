import * as z from 'zod'
import { PERMISSION_MODES } from '../../contracts/decision.ts'
import { presets } from '../presets.ts'
import { hooksSchema } from './hooksSchema.ts'
import { count, runSchema, text, textMap, texts } from './runSchema.ts'

const money = z.number().positive().finite()
const seconds = z.number().positive().finite()

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

const mcpServer = z.strictObject({
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
const mcpServers = z.record(
  z
    .string()
    .regex(/^[A-Za-z\d-]+(?:[._][A-Za-z\d-]+)*$/, 'a server name has letters, digits, `.`, `-` and single `_` only')
    .max(40, 'a server name has at most 40 characters'),
  mcpServer.refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'a server has either a `command` or a `url`',
  }),
)

const WALLS = ['bubblewrap', 'landlock'] as const

const agent = z.strictObject({
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

const dollars = z.number().nonnegative().finite()
const price = z.strictObject({
  input: dollars.describe('Input tokens: US dollars per million'),
  output: dollars.describe('Output tokens: US dollars per million'),
  cacheWrite: dollars.exactOptional().describe('Tokens written to the cache: US dollars per million'),
  cacheRead: dollars.exactOptional().describe('Tokens read from the cache: US dollars per million'),
})

const test = z.strictObject({
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

/** A policy file, key by key. An unknown key is an error; docs/policy.md lists the descriptions. */
export const policySchema = z.strictObject({
  $schema: z.string().exactOptional().describe('The JSON Schema of this file, for editors'),
  version: z.literal(1).describe('The version of the policy format'),
  extends: z.union([text, texts]).exactOptional().describe('Policy files that this one extends, relative to this file'),
  permissions: permissions.exactOptional().describe('Rules: which calls may run'),
  hooks: hooksSchema.exactOptional().describe("Your programs that run on events of the run, in Claude Code's format"),
  mcpServers: mcpServers.exactOptional().describe('MCP servers by name, in the format of `.mcp.json`'),
  run: runSchema.exactOptional().describe('Model, limits and defaults of a run; flags beat these'),
  checks: z
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
    .exactOptional()
    .describe('Commands that must succeed when the agent is done'),
  env: z
    .strictObject({
      pass: texts.describe('Names or patterns (`FOO_*`) of variables that commands get'),
      set: textMap.describe('Variables that commands get, with their values'),
      secrets: texts.describe('Names of variables that commands get although they look like secrets'),
    })
    .exactPartial()
    .exactOptional()
    .describe('Environment of commands, besides a list of harmless variables'),
  sandbox: z
    .strictObject({
      mode: z
        .enum(['required', 'auto', 'off'])
        .describe('`required` exits with 69 if it does not start; `auto` by default'),
      wall: z.enum(WALLS).describe('The least that `required` accepts; `bubblewrap` by default'),
      network: z.enum(['none', 'allowlist', 'open']).describe('Network of commands: `none` by default in the sandbox'),
      allow: texts.describe('Hosts for `allowlist`: `example.com`, `*.example.com` or `host:port`'),
      writable: texts.describe('More folders that commands may write; changes there are not judged'),
      readable: texts.describe('Paths that commands may read, besides the checkout, the system and toolchains'),
    })
    .exactPartial()
    .exactOptional()
    .describe('What commands can see and reach'),
  redact: z
    .strictObject({
      env: texts.describe('Names of variables whose values are redacted'),
      patterns: texts.describe('Regular expressions of text that is redacted'),
    })
    .exactPartial()
    .exactOptional()
    .describe('Text that never enters records, logs and requests, besides known secrets'),
  agents: z.record(text, agent).exactOptional().describe('Sub-agents by name'),
  outputs: outputs.exactOptional().describe('What the agent may propose for `kode-run apply`'),
  pricing: z.record(text, price).exactOptional().describe('Prices of models that kode-run does not know, by model id'),
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
  tests: z.array(test).exactOptional().describe('Calls and the expected decisions, for `kode-run policy test`'),
})

/** A policy file as written, after validation. */
export type PolicyInput = z.infer<typeof policySchema>

/**
 * Keys whose feature is not built yet, as paths (`outputs`, `run.fallbackModel`). They are rejected by name, never
 * ignored.
 */
export const NOT_YET: readonly string[] = []
