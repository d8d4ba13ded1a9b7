import * as z from 'zod'
import { PERMISSION_MODES } from '../decision.ts'
import { processSchema } from './itemShapes.ts'
import { enforcementSchema, networkSchema, pluginSchema } from './resultSchema.ts'

/** The fields of `system/init`, the first record of a run. */
export const initShape = {
  cwd: z.string(),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })),
  model: z.string(),
  permissionMode: z.enum(PERMISSION_MODES),
  shouldAvoidPermissionPrompts: z.literal(true),
  apiKeySource: z.string(),
  api_host: z.string().nullable(),
  agents: z.array(z.string()),
  skills: z.array(z.string()),
  /** What a prompt `/name` may call: skills and commands of the project. */
  slash_commands: z.array(z.string()),
  /** `sha256`: of all files of the plugin; absent in records of older versions. */
  plugins: z.array(pluginSchema).exactOptional(),
  /** Always `default`: kode-run has no others, and readers of Claude Code's format expect one. */
  output_style: z.string().exactOptional(),
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  prompt: z.string(),
  policy: z.object({ files: z.array(z.string()), sha256: z.string() }),
  sandbox: z.object({ mode: z.string(), state: enforcementSchema, detail: z.string() }),
  /** `enforced`: commands work on views of the checkout. `watched`: on the checkout, and changes are put back afterwards. */
  effects: z.object({ state: z.enum(['enforced', 'watched']), detail: z.string() }).exactOptional(),
  network: networkSchema,
  /** Names of variables that commands do not get; `env.pass` would let them through. */
  env_dropped: z.array(z.string()).exactOptional(),
  limits: z.record(z.string(), z.number().nullable()),
  /** `branch`: what is checked out; `HEAD` if that is no branch. */
  base: z.object({ commit: z.string(), branch: z.string().exactOptional() }).nullable(),
  /** The remote `origin` of the checkout: `host/owner/name` or a path. */
  repository: z.string().exactOptional(),
  /** With `--once`: SHA-256 of task, policy, base commit and model. */
  once: z.string().exactOptional(),
  /** What triggered the run, as far as its entry point knows. */
  origin: z
    .object({
      /** The event of GitHub, how far it is trusted, and who caused it. */
      event: z.object({ name: z.string(), trust: z.string(), actor: z.string() }).nullable(),
      /** The commit that policy and project files are read from, if not the checkout. */
      config_commit: z.string().nullable(),
    })
    .exactOptional(),
  /** SHA-256 of the system prompt and of the tools' specifications as JSON, as the main loop first sends them. */
  sent: z.object({ system_sha256: z.string(), tools_sha256: z.string() }).exactOptional(),
  resumed_from: z.object({ run: z.string(), seq: z.number() }).exactOptional(),
  /** The process that writes this record. A resume checks whether it is still alive. */
  process: processSchema.exactOptional(),
}
