import { PERMISSION_MODES } from '../../contracts/decision.ts'
import { hookSchema } from '../../contracts/policy/hooksSchema.ts'
import { HOOK_EVENTS } from '../../contracts/settings.ts'
import { isObject } from '../../lib/isObject.ts'
import { valueAt } from '../../lib/text/json.ts'
import type { Finding } from '../Policy.ts'
import { type ContentFault, describeIssue } from './describeIssue.ts'
import type { KeyPath, YamlFile } from './parseYaml.ts'
import { type PolicyInput, policySchema } from './policySchema.ts'

export type CheckedPolicy = {
  /** The file, which finds the places of `data`. */
  readonly yaml: YamlFile
  /** The content of the file, valid or not; undefined if it cannot be parsed at all. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly input: PolicyInput | undefined
  readonly isSettings: boolean
  readonly findings: readonly Finding[]
}

type FileInfo = { readonly file: string; readonly label: string; readonly isSettings: boolean }

/** Checks one file, a Claude Code settings file after its conversion. Reports all faults at once. */
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
  const remarks: Finding[] = []
  const remark: Remark = (path, message, { isKey = false, level = 'warning' } = {}) =>
    remarks.push(faultAt({ path, isKey, message }, level))
  const data = isDialect ? convertSettings(written, remark) : written
  findings.push(...remarks.filter(({ level }) => level === 'warning'))
  findings.push(...remarks.filter(({ level }) => level === 'error'))
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

type Settings = Readonly<Record<string, unknown>>

/** Reports an unsupported part of a settings file: a warning about a value, if nothing else is said. */
type Remark = (path: KeyPath, message: string, more?: { isKey?: boolean; level?: Finding['level'] }) => void

/** Events on which a hook can stop something. A hook that cannot run must not be dropped silently. */
const BLOCKING_EVENTS = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop', 'SubagentStop']
/** The keys of a hook that mean something here, by its type. */
const HOOK_KEYS = new Map<unknown, readonly string[]>(
  hookSchema.options.map(({ shape }) => [shape.type.value, Object.keys(shape)]),
)

/** Claude Code's `settings.json` as a policy: permissions, hooks, `env`, model, servers. Rules and hooks keep their places. */
function convertSettings(settings: Settings, remark: Remark): Settings {
  const input: Record<string, unknown> = { version: 1 }
  for (const [key, value] of Object.entries(settings)) {
    if (key === 'permissions' && isObject(value)) input['permissions'] = convertPermissions(value, remark)
    else if (key === 'hooks' && isObject(value)) input['hooks'] = convertHooks(value, remark)
    else if (key === 'env') input['env'] = { set: isObject(value) ? textsOf(value) : value }
    else if (key === 'model') input['run'] = { model: value }
    else if (key === 'enableAllProjectMcpServers') input['projectMcp'] = value
    else if (key === 'permissions' || key === 'hooks' || key === 'mcpServers') input[key] = value
    else if (key !== '$schema') remark([key], meaningOf(key), { isKey: true })
  }
  return input
}

function pathInSettings(settings: Settings, path: KeyPath): KeyPath {
  const [section, , ...rest] = path
  if (section === 'run') return ['model']
  if (section === 'env') return ['env', ...rest]
  if (section === 'projectMcp') return ['enableAllProjectMcpServers']
  const [, , index, ...more] = rest
  if (section !== 'hooks' || typeof index !== 'number') return path
  const entries = valueAt(settings, path.slice(0, 4)) as readonly unknown[]
  const kept = entries.flatMap((entry, at) => (isObject(entry) && !HOOK_KEYS.has(entry['type']) ? [] : [at]))
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

function convertPermissions(permissions: Settings, remark: Remark): Settings {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(permissions)) {
    const path = ['permissions', key]
    if (key === 'defaultMode' && value === 'bypassPermissions') {
      const message = `${path.join('.')}: there is no mode that skips permissions; allow what the task needs`
      remark(path, message, { level: 'error' })
    } else if (key === 'defaultMode' && !PERMISSION_MODES.some((mode) => mode === value)) {
      const name = JSON.stringify(value)
      remark(path, `there is no mode ${name} here; it is ignored, and calls that no rule allows are denied`)
    } else if (key === 'allow' && Array.isArray(value)) kept[key] = textsAllowed(value, path, remark)
    else if (['allow', 'ask', 'deny', 'additionalDirectories', 'defaultMode'].includes(key)) kept[key] = value
    else if (key !== 'disableBypassPermissionsMode') remark(path, meaningOf(key), { isKey: true })
  }
  return kept
}

/** An allow entry that is not a string only fails to help. An empty entry keeps the positions of those after it. */
function textsAllowed(entries: readonly unknown[], parent: KeyPath, remark: Remark): readonly string[] {
  return entries.map((entry, index) => {
    if (typeof entry === 'string' && entry.trim() !== '') return entry
    remark([...parent, index], `${JSON.stringify(entry)} is not a rule and is left out`)
    return ' '
  })
}

function convertHooks(hooks: Settings, remark: Remark): Settings {
  const kept: Record<string, unknown> = {}
  for (const [event, groups] of Object.entries(hooks)) {
    if (!HOOK_EVENTS.some((known) => known === event)) {
      remark(['hooks', event], `the event ${JSON.stringify(event)} does not exist here`, { isKey: true })
    } else if (!Array.isArray(groups)) kept[event] = groups
    else {
      kept[event] = groups.map((group: unknown, index) => {
        if (!isObject(group) || !Array.isArray(group['hooks'])) return group
        return { ...group, hooks: convertEntries(group['hooks'], ['hooks', event, index, 'hooks'], remark) }
      })
    }
  }
  return kept
}

function convertEntries(entries: readonly unknown[], parent: KeyPath, remark: Remark): readonly unknown[] {
  return entries.flatMap((entry, index) => {
    const path = [...parent, index]
    if (!isObject(entry)) return [entry]
    const keep = HOOK_KEYS.get(entry['type'])
    if (!keep) {
      const message = `a hook of type ${JSON.stringify(String(entry['type']))} cannot run here`
      if (BLOCKING_EVENTS.includes(String(parent[1]))) remark(path, message, { level: 'error' })
      else remark(path, `${message} and is left out`)
      return []
    }
    for (const key of Object.keys(entry)) {
      if (!keep.includes(key)) remark([...path, key], meaningOf(key), { isKey: true })
    }
    return [Object.fromEntries(Object.entries(entry).filter(([key]) => keep.includes(key)))]
  })
}

function textsOf(map: Settings): Settings {
  const isPlain = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean'
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, isPlain(value) ? String(value) : value]))
}
