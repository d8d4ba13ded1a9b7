import * as z from 'zod'
import { PERMISSION_MODES } from '../../contracts/decision.ts'
import { hooksSchema } from '../../contracts/policy/hooksSchema.ts'
import {
  agentSchema,
  checksSchema,
  count,
  envSchema,
  mcpServerSchema,
  priceSchema,
  redactSchema,
  runSchema,
  sandboxSchema,
  testSchema,
  text,
  texts,
} from '../../contracts/policy/settingsSchemas.ts'
import { parseDuration } from '../../lib/text/duration.ts'
import { presets } from '../presets.ts'

/** A bare number would not say whether it means seconds or minutes. */
const aDuration = { error: 'expected a duration such as 90s, 30m or 2h' }
const duration = z
  .string(aDuration)
  .refine((value) => !/^\s*\d+\s*$/.test(value) && (parseDuration(value) ?? 0) > 0, aDuration)

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
  run: runSchema(duration).exactOptional().describe('Model, limits and defaults of a run; flags beat these'),
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

export type PolicyInput = z.infer<typeof policySchema>

/** The JSON Schema of a policy file, as text. Editors use it for completion, and `kode-run policy schema` prints it. */
export function policyJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(policySchema, { io: 'input', reused: 'ref' })
  const titled = { $schema, title: 'kode-run policy', ...schema }
  return `${JSON.stringify(titled, undefined, 2)}\n`
}
