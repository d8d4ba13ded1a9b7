import { matchesGlob } from '../../lib/text/matchesGlob.ts'
import { caseFold } from './caseFold.ts'

/** A tool as its server knows it; its model-facing name is never parsed. In a rule, both may contain `*`. */
export type McpIdentity = { readonly server: string; readonly tool: string }

export function mcpName({ server, tool }: McpIdentity): string {
  return `mcp__${server}__${tool}`
}

/** Whether an allow rule matches: the server name must be equal. An ambiguous server name is never covered. */
export function isMcpCovered(pattern: McpIdentity, { server, tool }: McpIdentity): boolean {
  return pattern.server === server && !server.includes('__') && matchesGlob(pattern.tool, tool)
}

/** Whether a deny or ask rule matches, ignoring case; also checks the whole name, however it may be split. */
export function isMcpDenied(pattern: McpIdentity, identity: McpIdentity): boolean {
  const { server, tool } = { server: caseFold(pattern.server), tool: caseFold(pattern.tool) }
  const actual = { server: caseFold(identity.server), tool: caseFold(identity.tool) }
  if (matchesGlob(server, actual.server) && matchesGlob(tool, actual.tool)) return true
  const facing = mcpName({ server: plain(actual.server), tool: plain(actual.tool) })
  return matchesGlob(mcpName({ server, tool }), facing) || matchesGlob(mcpName({ server, tool }), mcpName(actual))
}

/** Characters that a model-facing name cannot contain become `_`. */
function plain(name: string): string {
  return name.replace(/[^a-z0-9_-]/g, '_')
}

/** Whether a deny or ask rule matches what a tool names, ignoring case. An allow rule is a plain glob. */
export function isNameDenied(pattern: string, specifier: string): boolean {
  return matchesGlob(caseFold(pattern), caseFold(specifier))
}
