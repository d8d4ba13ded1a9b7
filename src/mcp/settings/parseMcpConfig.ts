import * as z from 'zod'
import { orFail, RunError } from '../../contracts/errors.ts'
import { mcpServerSchema } from '../../contracts/policy/settingsSchemas.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'
import { faultsOf } from '../../lib/faultsOf.ts'

/** Milliseconds, as in Claude Code and other clients. A value below a second must be a mistake for seconds. */
const milliseconds = z
  .number()
  .min(1000, { error: 'is in milliseconds in this file: write 30000 for 30 s' })
  .exactOptional()

const WITHOUT_SECRET = 'nobody is there to log in: oauth needs clientId, clientSecret ("${VARIABLE}") and issuer'

const OAUTH = z.object({
  clientId: z.string(),
  clientSecret: z.string({ error: WITHOUT_SECRET }),
  issuer: z.string({ error: WITHOUT_SECRET }),
  scopes: z.string().exactOptional(),
})

const SERVER = z.object({
  ...mcpServerSchema.shape,
  type: z.enum(['stdio', 'http', 'sse', 'streamable-http']).exactOptional(),
  oauth: OAUTH.exactOptional(),
  startTimeout: milliseconds,
  timeout: milliseconds,
})

const CONFIG = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) })

/**
 * The servers of an `.mcp.json`, the format that Claude Code and other clients share. Throws `RunError('config')` that
 * names the file and the key; keys of other clients are warnings.
 */
export function parseMcpConfig(
  text: string,
  file: string,
  warn: (message: string) => void,
): Readonly<Record<string, McpServerSettings>> {
  const config = CONFIG.safeParse(orFail('config', `${file} is not JSON`, () => JSON.parse(text)))
  if (!config.success) throw new RunError('config', `${file}: ${faultsOf(config.error)}`)
  const entries = Object.entries(config.data.mcpServers).map(([name, value]) => {
    const where = `${file}: mcpServers.${name}`
    const parsed = SERVER.safeParse(value)
    if (!parsed.success) throw new RunError('config', `${where}: ${faultsOf(parsed.error)}`)
    const { type, timeout, startTimeout, ...rest } = parsed.data
    for (const key of Object.keys(value as object)) {
      if (!(key in SERVER.shape)) warn(`${where}.${key} has no meaning here and is ignored`)
    }
    const server: McpServerSettings = {
      ...rest,
      ...(type && { type: type === 'streamable-http' ? 'http' : type }),
      ...(timeout && { timeout: timeout / 1000 }),
      ...(startTimeout && { startTimeout: startTimeout / 1000 }),
    }
    return [name, server] as const
  })
  return Object.fromEntries(entries)
}
