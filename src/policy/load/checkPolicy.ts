import type { Finding } from '../Policy.ts'
import { convertSettings } from './convertSettings.ts'
import { type ContentFault, describeIssue } from './describeIssue.ts'
import type { YamlFile } from './parseYaml.ts'
import { type PolicyInput, policySchema } from './policySchema.ts'

export type CheckedPolicy = {
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
  if (yaml.data === undefined) return { data: undefined, input: undefined, isSettings, findings }
  if (typeof yaml.data !== 'object' || yaml.data === null || Array.isArray(yaml.data)) {
    const message = yaml.data === null ? 'the file is empty' : 'a policy is a map of keys'
    return {
      data: undefined,
      input: undefined,
      isSettings,
      findings: [...findings, faultAt({ path: [], isKey: false, message })],
    }
  }
  const isDialect = isSettings || (file.endsWith('.json') && !('version' in yaml.data))
  const converted = isDialect ? convertSettings(yaml.data as Record<string, unknown>) : undefined
  findings.push(...(converted?.warnings ?? []).map((fault) => faultAt(fault, 'warning')))
  findings.push(...(converted?.errors ?? []).map((fault) => faultAt(fault)))
  const data = converted ? converted.input : yaml.data
  const parsed = policySchema.safeParse(data)
  const issues = parsed.error?.issues.flatMap((issue) => describeIssue(issue, data)) ?? []
  const certain = issues.filter(({ isAbsent }) => !(isAbsent && yaml.isBroken))
  findings.push(...certain.map((fault) => faultAt(advise(fault, yaml))).filter((finding) => !yaml.isDoubtful(finding)))
  return {
    data: data as Record<string, unknown>,
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
  if (/^(?:''|"")$/.test(source)) return { ...fault, message: 'the rule is empty' }
  return { ...fault, message: `a rule is one string; write it in quotes: ${JSON.stringify(source)}` }
}
