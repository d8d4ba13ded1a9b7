import { RunError } from '../../contracts/errors.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'
import { parseUrl } from '../../lib/net/parseUrl.ts'

/**
 * Rejects server entries that could not work or could be confused: throws `RunError('config')`. A name may not contain
 * `__`, which separates server and tool. It may not differ from another only in case or in characters that a
 * model-facing name cannot show.
 */
export function checkSettings(servers: Readonly<Record<string, McpServerSettings>>): void {
  const shown = new Map<string, string>()
  for (const [name, settings] of Object.entries(servers)) {
    checkName(name)
    const key = shownName(name).toLowerCase()
    const other = shown.get(key)
    if (other !== undefined) fail(name, `its tool names clash with those of the server "${other}"; rename one of them`)
    shown.set(key, name)
    checkEntry(name, settings)
  }
}

/** The server's part of `mcp__server__tool`. */
export function shownName(server: string): string {
  return server.replace(/[^A-Za-z0-9_-]/g, '_')
}

/** How to reach a server: by `type`, otherwise by the fields of its entry. */
export function transportOf(settings: McpServerSettings): 'stdio' | 'http' | 'sse' | 'sdk' {
  return settings.type ?? (settings.url === undefined ? 'stdio' : 'http')
}

function checkName(name: string): void {
  // A plugin's name comes before its own. What is left of the API's 64 characters is for the tool.
  const most = name.startsWith('plugin_') ? 55 : 40
  if (!/^[\x20-\x7e]+$/.test(name) || name.length > most)
    fail(name, `a server name has 1 to ${most} printable ASCII characters`)
  const shown = shownName(name)
  if (shown.includes('__')) fail(name, 'a server name may not contain __, which separates server and tool')
  if (shown.startsWith('_') || shown.endsWith('_')) fail(name, 'a server name may not begin or end with _')
}

function checkEntry(name: string, settings: McpServerSettings): void {
  const { command, url, sandbox, oauth, headers = {}, headersHelper } = settings
  const transport = transportOf(settings)
  if (transport === 'sdk') {
    if (typeof settings.instance?.connect === 'function') return
    fail(name, 'a server of type sdk needs an instance with connect(), such as an McpServer')
  }
  if (command !== undefined && url !== undefined) fail(name, 'give command or url, not both')
  if (transport === 'stdio') {
    if (oauth ?? headersHelper) fail(name, 'oauth and headersHelper are for a server with a url')
    if (command === undefined) fail(name, 'a stdio server needs command')
    return
  }
  if (url === undefined) fail(name, `a server of type ${transport} needs url`)
  if (sandbox === true) fail(name, 'sandbox works only for stdio servers: a server at a URL runs elsewhere')
  if (oauth === undefined) return
  if (!/^\$\{[A-Za-z_]\w*\}$/.test(oauth.clientSecret)) fail(name, 'oauth.clientSecret must be written ${VARIABLE}')
  if (!/^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])/.test(oauth.issuer))
    fail(name, 'oauth.issuer must be an https address')
  if (headersHelper !== undefined || Object.keys(headers).some((key) => /^authorization$/i.test(key)))
    fail(name, 'give one of oauth, headersHelper and an Authorization header')
}

export function parseServerUrl(name: string, url: string): URL {
  const parsed = parseUrl(url)
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed
  throw new RunError('config', `mcpServers.${name}: the url is not an http or https address`)
}

function fail(name: string, problem: string): never {
  throw new RunError('config', `mcpServers.${JSON.stringify(name)}: ${problem}`)
}
