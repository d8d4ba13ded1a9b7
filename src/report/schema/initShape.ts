import * as z from 'zod'
import { PERMISSION_MODES } from '../../contracts/decision.ts'
import { enforcementSchema, pluginSchema } from './resultSchema.ts'

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
  slash_commands: z.array(z.string()),
  plugins: z.array(pluginSchema).exactOptional(),
  output_style: z.string().exactOptional(),
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  prompt: z.string(),
  policy: z.object({ files: z.array(z.string()), sha256: z.string() }),
  sandbox: z.object({ mode: z.string(), state: enforcementSchema, detail: z.string() }),
  effects: z.object({ state: z.enum(['enforced', 'watched']), detail: z.string() }).exactOptional(),
  network: z.object({ mode: z.string(), state: enforcementSchema }),
  env_dropped: z.array(z.string()).exactOptional(),
  limits: z.record(z.string(), z.number().nullable()),
  base: z.object({ commit: z.string(), branch: z.string().exactOptional() }).nullable(),
  repository: z.string().exactOptional(),
  once: z.string().exactOptional(),
  origin: z
    .object({
      event: z.object({ name: z.string(), trust: z.string(), actor: z.string() }).nullable(),
      config_commit: z.string().nullable(),
    })
    .exactOptional(),
  sent: z.object({ system_sha256: z.string(), tools_sha256: z.string() }).exactOptional(),
  resumed_from: z.object({ run: z.string(), seq: z.number() }).exactOptional(),
  process: z
    .object({
      pid: z.number(),
      started: z.number().nullable(),
      boot: z.string().nullable(),
      host: z.string(),
      namespace: z.string().nullable(),
    })
    .exactOptional(),
}
