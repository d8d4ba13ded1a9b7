import { RunError } from '../../contracts/errors.ts'
import type { McpServerSettings } from '../../contracts/settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The settings of a server with `${VAR}` and `${VAR:-default}` filled in, as in `.mcp.json`: in command, arguments,
 * environment, URL, headers, folder and credentials. Throws `RunError('config')` that names a variable without value and default.
 */
export function expandVariables(server: string, settings: McpServerSettings, env: Environment): McpServerSettings {
  const expand = (text: string, key: string): string => expandText(text, env, `mcpServers.${server}.${key}`)
  const expandAll = (values: Readonly<Record<string, string>>, key: string) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value, `${key}.${name}`)]))
  return {
    ...settings,
    ...(settings.command === undefined ? {} : { command: expand(settings.command, 'command') }),
    ...(settings.args && { args: settings.args.map((value, index) => expand(value, `args[${index}]`)) }),
    ...(settings.env && { env: expandAll(settings.env, 'env') }),
    ...(settings.cwd === undefined ? {} : { cwd: expand(settings.cwd, 'cwd') }),
    ...(settings.url === undefined ? {} : { url: expand(settings.url, 'url') }),
    ...(settings.oauth && {
      oauth: {
        ...settings.oauth,
        clientId: expand(settings.oauth.clientId, 'oauth.clientId'),
        clientSecret: expand(settings.oauth.clientSecret, 'oauth.clientSecret'),
      },
    }),
    ...(settings.headers && { headers: expandAll(settings.headers, 'headers') }),
  }
}

/** A default also replaces an empty variable, as in a shell. */
function expandText(text: string, env: Environment, where: string): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, name: string, fallback: string | undefined) => {
    const value = env[name]
    if (fallback !== undefined) return value || fallback
    if (value !== undefined) return value
    throw new RunError('config', `${where}: the variable ${name} is not set; set it, or write \${${name}:-default}`)
  })
}
