import { foldText } from '../foldText.ts'
import { matchesGlob } from '../matchesGlob.ts'

/** An MCP tool as its server and the registry know it; the model-facing name is never taken apart. */
export type McpIdentity = { readonly server: string; readonly tool: string }

/** The server and tool of an `mcp__…` rule; both may hold `*`. */
export type McpPattern = McpIdentity

/** The model-facing name of an MCP tool. */
export function mcpName({ server, tool }: McpIdentity): string {
  return `mcp__${server}__${tool}`
}

/** An allow rule's test: the server letter by letter. A server whose name could be read in two ways is never covered. */
export function isMcpCovered(pattern: McpPattern, { server, tool }: McpIdentity): boolean {
  return pattern.server === server && !server.includes('__') && matchesGlob(pattern.tool, tool)
}

/** A deny or ask rule's test, without regard to case; also on the whole name, however it may be taken apart. */
export function isMcpDenied(pattern: McpPattern, identity: McpIdentity): boolean {
  const { server, tool } = { server: foldText(pattern.server), tool: foldText(pattern.tool) }
  const actual = { server: foldText(identity.server), tool: foldText(identity.tool) }
  if (matchesGlob(server, actual.server) && matchesGlob(tool, actual.tool)) return true
  const facing = mcpName({ server: plain(actual.server), tool: plain(actual.tool) })
  return matchesGlob(mcpName({ server, tool }), facing) || matchesGlob(mcpName({ server, tool }), mcpName(actual))
}

/** Characters that a model-facing name cannot hold are `_` in it. */
function plain(name: string): string {
  return name.replace(/[^a-z0-9_-]/g, '_')
}

/** An allow rule's test for what a tool names: an agent, a skill. */
export function isNameCovered(pattern: string, specifier: string): boolean {
  return matchesGlob(pattern, specifier)
}

/** A deny or ask rule's test: without regard to case. */
export function isNameDenied(pattern: string, specifier: string): boolean {
  return matchesGlob(foldText(pattern), foldText(specifier))
}
