import type { Call, Subject } from '../../contracts/subject.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'
import { caseFold } from '../matchers/caseFold.ts'
import { isSpecialHost, judgeUrl } from '../matchers/domain.ts'
import { isMcpDenied } from '../matchers/name.ts'
import type { Policy, Rule } from '../Policy.ts'
import type { RuleSet } from './indexRules.ts'
import { canonicalName, familyOf } from './toolNames.ts'

/** The deny or ask rule on every use of the called tool or its family. */
export function findBareAgainst(rules: RuleSet, call: Pick<Call, 'tool' | 'aliases'>): Rule | undefined {
  for (const name of [call.tool, ...call.aliases]) {
    const tool = canonicalName(name)
    const rule = rules.bare.get(tool) ?? rules.bare.get(familyOf(tool) ?? tool)
    if (rule) return rule
  }
  return undefined
}

/** The deny or ask rule on a parameter of the call: `Agent(model:opus*)`. */
export function findParameterAgainst(rules: RuleSet, call: Call): Rule | undefined {
  const names = [call.tool, ...call.aliases].map((name) => caseFold(canonicalName(name)))
  return rules.parameters.find(({ rule, name, pattern }) => {
    if (!names.some((tool) => matchesGlob(caseFold(rule.tool), tool))) return false
    const value = call.input[name]
    return value !== undefined && textsOf(value).some((text) => matchesGlob(caseFold(pattern), caseFold(text)))
  })?.rule
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? [asText(value), ...value.flatMap(textsOf)] : [asText(value)]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The allow rule without a specifier that covers the subject: the tool's own, or its family's for a path. */
export function findBareAllow(rules: RuleSet, call: Call, subject: Subject): Rule | undefined {
  if (subject.kind === 'path') {
    const family = rules.bare.get('Edit') ?? (subject.access === 'read' ? rules.bare.get('Read') : undefined)
    return family ?? (subject.source === 'tool' ? rules.bare.get(call.tool) : undefined)
  }
  if (subject.kind === 'name') return rules.bare.get(subject.tool)
  // A server's own tools have no bare rules. This is one of our tools that reads from a server.
  if (subject.kind === 'mcp') return rules.bare.get(call.tool)
  if (subject.kind !== 'domain') return undefined
  const judged = judgeUrl(subject.url)
  return 'host' in judged && !isSpecialHost(judged.host) ? rules.bare.get(call.tool) : undefined
}

/** True if a bare rule allows every line of a shell, which may then run the model's own text where it cannot be rebuilt. */
export function isRawAllowed(policy: Policy, tool: string): boolean {
  return (tool === 'Bash' || tool === 'PowerShell') && policy.index.allow.bare.has(tool)
}

export type ToolIdentity = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly mcpInfo?: { readonly server: string; readonly tool: string } | undefined
}

/** True if a deny rule without a specifier names the tool, its family or its server: then it is not offered at all. */
export function isToolRemoved({ index }: Policy, { name, aliases, mcpInfo }: ToolIdentity): boolean {
  if (mcpInfo) return index.deny.mcp.some(({ pattern }) => isMcpDenied(pattern, mcpInfo))
  return findBareAgainst(index.deny, { tool: name, aliases }) !== undefined
}
