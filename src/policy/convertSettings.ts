import { HOOK_EVENTS } from '../contracts/settings.ts'
import type { ContentFault } from './describeIssue.ts'

/** A settings file in the shape of a policy, and what of it has no meaning here. Places of rules and hooks stay. */
export type ConvertedSettings = {
  readonly input: Readonly<Record<string, unknown>>
  readonly warnings: readonly ContentFault[]
  readonly errors: readonly ContentFault[]
}

/** Names that Claude Code has for its models. */
const MODELS: Readonly<Record<string, string>> = {
  default: 'claude-sonnet-5-5',
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
  haiku: 'claude-haiku-5-5',
}

type Settings = Readonly<Record<string, unknown>>

/** Events on which a hook can stop something: one that cannot run must not be dropped in silence. */
const BLOCKING_EVENTS = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop', 'SubagentStop']
const HOOK_KEYS = {
  command: ['command', 'args'],
  http: ['url', 'headers', 'allowedEnvVars'],
  prompt: ['prompt', 'model'],
} as const

/** Claude Code's `settings.json` as a policy: permissions, hooks, `env`, model, servers; the rest is listed as a warning. */
export function convertSettings(settings: Settings): ConvertedSettings {
  const warnings: ContentFault[] = []
  const errors: ContentFault[] = []
  const input: Record<string, unknown> = { version: 1 }
  for (const [key, value] of Object.entries(settings)) {
    if (key === 'permissions' && isMap(value)) input['permissions'] = convertPermissions(value, warnings, errors)
    else if (key === 'hooks' && isMap(value)) input['hooks'] = convertHooks(value, warnings, errors)
    else if (key === 'env') input['env'] = { set: isMap(value) ? textsOf(value) : value }
    else if (key === 'model') input['run'] = { model: MODELS[String(value)] ?? value }
    else if (key === 'enableAllProjectMcpServers') input['projectMcp'] = value
    else if (key === 'permissions' || key === 'hooks' || key === 'mcpServers') input[key] = value
    else if (key !== '$schema') warnings.push({ path: [key], isKey: true, message: meaningOf(key) })
  }
  return { input, warnings, errors }
}

function meaningOf(key: string): string {
  const instead: Record<string, string> = {
    enabledMcpjsonServers: '; a policy names its servers under `mcpServers`',
    disabledMcpjsonServers: '; deny the server: `mcp__name`',
    apiKeyHelper: '; give the key by --api-key-file or --api-key-fd',
    sandbox: '; a policy has a `sandbox` key of its own',
  }
  return `${JSON.stringify(key)} has no meaning here${instead[key] ?? ''}`
}

function convertPermissions(permissions: Settings, warnings: ContentFault[], errors: ContentFault[]): Settings {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(permissions)) {
    const path = ['permissions', key]
    if (key === 'defaultMode' && value === 'bypassPermissions') {
      errors.push({ path, isKey: false, message: 'there is no mode that skips permissions; allow what the task needs' })
    } else if (['allow', 'ask', 'deny', 'additionalDirectories', 'defaultMode'].includes(key)) kept[key] = value
    else if (key !== 'disableBypassPermissionsMode') warnings.push({ path, isKey: true, message: meaningOf(key) })
  }
  return kept
}

function convertHooks(hooks: Settings, warnings: ContentFault[], errors: ContentFault[]): Settings {
  const kept: Record<string, unknown> = {}
  for (const [event, groups] of Object.entries(hooks)) {
    if (!HOOK_EVENTS.some((known) => known === event)) {
      warnings.push({
        path: ['hooks', event],
        isKey: true,
        message: `the event ${JSON.stringify(event)} does not happen here`,
      })
    } else if (!Array.isArray(groups)) kept[event] = groups
    else {
      kept[event] = groups.map((group: unknown, index) => {
        if (!isMap(group) || !Array.isArray(group['hooks'])) return group
        const path = ['hooks', event, index, 'hooks']
        return { ...group, hooks: convertEntries(group['hooks'], path, warnings, errors) }
      })
    }
  }
  return kept
}

function convertEntries(
  entries: readonly unknown[],
  parent: readonly PropertyKey[],
  warnings: ContentFault[],
  errors: ContentFault[],
): readonly unknown[] {
  return entries
    .map((entry, index) => {
      const path = [...parent, index]
      if (!isMap(entry)) return entry
      const type = String(entry['type'])
      const known = Object.hasOwn(HOOK_KEYS, type) ? HOOK_KEYS[type as keyof typeof HOOK_KEYS] : undefined
      if (!known) {
        const message = `a hook of type ${JSON.stringify(type)} cannot run here`
        if (BLOCKING_EVENTS.includes(String(parent[1]))) errors.push({ path, isKey: false, message })
        else warnings.push({ path, isKey: false, message: `${message} and is left out` })
        return undefined
      }
      const keep = [...known, 'type', 'timeout', 'if', 'onError']
      for (const key of Object.keys(entry)) {
        if (!keep.includes(key)) warnings.push({ path: [...path, key], isKey: true, message: meaningOf(key) })
      }
      return Object.fromEntries(Object.entries(entry).filter(([key]) => keep.includes(key)))
    })
    .filter((entry) => entry !== undefined)
}

function textsOf(map: Settings): Settings {
  const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean'
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, isPlain(value) ? String(value) : value]))
}

function isMap(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
