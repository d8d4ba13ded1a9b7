import { PERMISSION_MODES } from '../../contracts/decision.ts'
import { HOOK_EVENTS } from '../../contracts/settings.ts'
import { isObject } from '../../lib/isObject.ts'
import type { Finding } from '../Policy.ts'
import { type ContentFault, describeIssue, valueAt } from './describeIssue.ts'
import type { KeyPath, YamlFile } from './parseYaml.ts'
import { type PolicyInput, policySchema } from './policySchema.ts'

export type CheckedPolicy = {
  /** The file, which finds the places of `data`. */
  readonly yaml: YamlFile
  /** The content of the file, valid or not; undefined if it cannot be parsed at all. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  /** Undefined if the file has errors. */
  readonly input: PolicyInput | undefined
  readonly isSettings: boolean
  readonly findings: readonly Finding[]
}

type FileInfo = { readonly file: string; readonly label: string; readonly isSettings: boolean }

/**
 * Checks one file against the schema. A Claude Code settings file is converted first. Reports all faults at once, each
 * with its place.
 */
export function checkPolicy(yaml: YamlFile, { file, label, isSettings }: FileInfo): CheckedPolicy {
  const faultAt = (fault: ContentFault, level: Finding['level'] = 'error'): Finding => ({
    file: label,
    ...(fault.isKey ? yaml.keyPositionOf(fault.path) : yaml.positionOf(fault.path)),
    level,
    message: fault.message,
  })
  const findings: Finding[] = yaml.faults.map((fault) => ({ file: label, level: 'error', ...fault }))
  const { data: written } = yaml
  if (!isObject(written)) {
    const message = written === null ? 'the file is empty' : 'a policy is a map of keys'
    if (written !== undefined) findings.push(faultAt({ path: [], isKey: false, message }))
    return { yaml, data: undefined, input: undefined, isSettings, findings }
  }
  const isDialect = isSettings || (file.endsWith('.json') && !('version' in written))
  const converted = isDialect ? convertSettings(written) : undefined
  findings.push(...(converted?.warnings ?? []).map((fault) => faultAt(fault, 'warning')))
  findings.push(...(converted?.errors ?? []).map((fault) => faultAt(fault)))
  const data = converted?.input ?? written
  const pathOf = (path: KeyPath): KeyPath => (isDialect ? pathInSettings(written, path) : path)
  const parsed = policySchema.safeParse(data)
  const issues = parsed.error?.issues.flatMap((each) =>
    describeIssue({ ...each, path: [...pathOf(each.path)] }, written),
  )
  const certain = (issues ?? []).filter(({ isAbsent }) => !(isAbsent && yaml.isBroken))
  findings.push(...certain.map((fault) => faultAt(advise(fault, yaml))).filter((finding) => !yaml.isDoubtful(finding)))
  return {
    yaml: { ...yaml, positionOf: (path) => yaml.positionOf(pathOf(path)) },
    data,
    input: parsed.success ? parsed.data : undefined,
    isSettings: isDialect,
    findings,
  }
}

/** A rule that YAML parsed as something else gets the text to write instead. */
function advise(fault: ContentFault, yaml: YamlFile): ContentFault {
  const [section, list, index] = fault.path
  const isRule =
    section === 'permissions' && typeof index === 'number' && ['allow', 'ask', 'deny'].includes(String(list))
  if (!isRule || fault.isKey) return fault
  const source = yaml.sourceOf(fault.path)
  if (/^(?:''|"")?$/.test(source)) return { ...fault, message: 'the rule is empty' }
  return { ...fault, message: `a rule is one string; write it in quotes: ${JSON.stringify(source)}` }
}

/** A settings file in the shape of a policy, and its unsupported parts. Rules and hooks keep their places. */
type ConvertedSettings = {
  readonly input: Readonly<Record<string, unknown>>
  readonly warnings: readonly ContentFault[]
  readonly errors: readonly ContentFault[]
}

type Settings = Readonly<Record<string, unknown>>

/** Events on which a hook can stop something. A hook that cannot run must not be dropped silently. */
const BLOCKING_EVENTS = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop', 'SubagentStop']
const HOOK_KEYS = {
  command: ['command', 'args', 'async'],
  http: ['url', 'headers', 'allowedEnvVars'],
  prompt: ['prompt', 'model'],
  agent: ['prompt', 'model'],
  mcp_tool: ['server', 'tool', 'input'],
} as const

/**
 * Converts Claude Code's `settings.json` into a policy: permissions, hooks, `env`, model, servers. The rest is listed
 * as a warning.
 */
function convertSettings(settings: Settings): ConvertedSettings {
  const warnings: ContentFault[] = []
  const errors: ContentFault[] = []
  const input: Record<string, unknown> = { version: 1 }
  for (const [key, value] of Object.entries(settings)) {
    if (key === 'permissions' && isObject(value)) input['permissions'] = convertPermissions(value, warnings, errors)
    else if (key === 'hooks' && isObject(value)) input['hooks'] = convertHooks(value, warnings, errors)
    else if (key === 'env') input['env'] = { set: isObject(value) ? textsOf(value) : value }
    else if (key === 'model') input['run'] = { model: value }
    else if (key === 'enableAllProjectMcpServers') input['projectMcp'] = value
    else if (key === 'permissions' || key === 'hooks' || key === 'mcpServers') input[key] = value
    else if (key !== '$schema') warnings.push({ path: [key], isKey: true, message: meaningOf(key) })
  }
  return { input, warnings, errors }
}

/** Where a part of the converted policy is in the settings. */
function pathInSettings(settings: Settings, path: KeyPath): KeyPath {
  const [section, , ...rest] = path
  if (section === 'run') return ['model']
  if (section === 'env') return ['env', ...rest]
  if (section === 'projectMcp') return ['enableAllProjectMcpServers']
  const [, , index, ...more] = rest
  if (section !== 'hooks' || typeof index !== 'number') return path
  const entries = valueAt(settings, path.slice(0, 4)) as readonly unknown[]
  const kept = entries.flatMap((entry, at) => (isObject(entry) && keysOfHook(entry) === undefined ? [] : [at]))
  return [...path.slice(0, 4), kept[index] ?? index, ...more]
}

function meaningOf(key: string): string {
  const instead: Record<string, string> = {
    enabledMcpjsonServers: '; a policy names its servers under `mcpServers`',
    disabledMcpjsonServers: '; deny the server: `mcp__name`',
    apiKeyHelper: '; a policy has `run.apiKeyHelper`, which can name nothing in the checkout',
    sandbox: '; a policy has a `sandbox` key of its own',
    enabledPlugins: '; a policy names the folders of its `plugins`',
  }
  return `${JSON.stringify(key)} has no meaning here${instead[key] ?? ''}`
}

function convertPermissions(permissions: Settings, warnings: ContentFault[], errors: ContentFault[]): Settings {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(permissions)) {
    const path = ['permissions', key]
    if (key === 'defaultMode' && value === 'bypassPermissions') {
      const message = `${path.join('.')}: there is no mode that skips permissions; allow what the task needs`
      errors.push({ path, isKey: false, message })
    } else if (key === 'defaultMode' && !PERMISSION_MODES.some((mode) => mode === value)) {
      const message = `there is no mode ${JSON.stringify(value)} here; it is ignored, and calls that no rule allows are denied`
      warnings.push({ path, isKey: false, message })
    } else if (key === 'allow' && Array.isArray(value)) kept[key] = textsAllowed(value, path, warnings)
    else if (['allow', 'ask', 'deny', 'additionalDirectories', 'defaultMode'].includes(key)) kept[key] = value
    else if (key !== 'disableBypassPermissionsMode') warnings.push({ path, isKey: true, message: meaningOf(key) })
  }
  return kept
}

/** An allow entry that is not a string only fails to help. An empty entry keeps the positions of those after it. */
function textsAllowed(
  entries: readonly unknown[],
  parent: readonly PropertyKey[],
  warnings: ContentFault[],
): readonly string[] {
  return entries.map((entry, index) => {
    if (typeof entry === 'string' && entry.trim() !== '') return entry
    const message = `${JSON.stringify(entry)} is not a rule and is left out`
    warnings.push({ path: [...parent, index], isKey: false, message })
    return ' '
  })
}

function convertHooks(hooks: Settings, warnings: ContentFault[], errors: ContentFault[]): Settings {
  const kept: Record<string, unknown> = {}
  for (const [event, groups] of Object.entries(hooks)) {
    if (!HOOK_EVENTS.some((known) => known === event)) {
      warnings.push({
        path: ['hooks', event],
        isKey: true,
        message: `the event ${JSON.stringify(event)} does not exist here`,
      })
    } else if (!Array.isArray(groups)) kept[event] = groups
    else {
      kept[event] = groups.map((group: unknown, index) => {
        if (!isObject(group) || !Array.isArray(group['hooks'])) return group
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
      if (!isObject(entry)) return entry
      const known = keysOfHook(entry)
      if (!known) {
        const message = `a hook of type ${JSON.stringify(String(entry['type']))} cannot run here`
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

/** The keys of a hook that mean something here; undefined for a type that cannot run. */
function keysOfHook({ type }: Settings): readonly string[] | undefined {
  return Object.hasOwn(HOOK_KEYS, String(type)) ? HOOK_KEYS[type as keyof typeof HOOK_KEYS] : undefined
}

function textsOf(map: Settings): Settings {
  const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean'
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, isPlain(value) ? String(value) : value]))
}
