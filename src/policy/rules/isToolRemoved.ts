import { isMcpDenied } from '../matchers/name.ts'
import type { Policy, Rule } from '../Policy.ts'
import { findBareAgainst } from './findBareRule.ts'

/** A tool as the tool pool knows it. */
export type ToolIdentity = {
  readonly name: string
  readonly aliases: readonly string[]
  readonly mcpInfo?: { readonly server: string; readonly tool: string } | undefined
}

/** True if a deny rule without a specifier names the tool, its family or its server: then it is not offered at all. */
export function isToolRemoved(policy: Policy, tool: ToolIdentity): boolean {
  return getToolDenial(policy, tool) !== undefined
}

/** The rule that removes the tool from the pool. */
export function getToolDenial(policy: Policy, { name, aliases, mcpInfo }: ToolIdentity): Rule | undefined {
  const rules = policy.index.deny
  if (mcpInfo) return rules.mcp.find(({ pattern }) => isMcpDenied(pattern, mcpInfo))?.rule
  return findBareAgainst(rules, { tool: name, aliases })
}
