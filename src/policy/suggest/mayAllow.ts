import { isMcpCovered } from '../matchers/name.ts'
import type { Policy } from '../Policy.ts'
import type { ToolIdentity } from '../rules/isToolRemoved.ts'
import { canonicalName, familyOf } from '../rules/toolNames.ts'

/**
 * Whether the rules may allow any call of the tool. False is certain. True also covers tools that the rules do not
 * mention, such as those that need no rule.
 */
export function mayAllow(policy: Policy, { name, aliases, mcpInfo }: ToolIdentity): boolean {
  const { bare, commands, read, write, domains, mcp, names } = policy.index.allow
  if ([name, ...aliases].some((each) => bare.has(canonicalName(each)))) return true
  if (mcpInfo !== undefined) return mcp.some(({ pattern }) => isMcpCovered(pattern, mcpInfo))
  const family = familyOf(name)
  if (family === 'Edit') return bare.has('Edit') || write.all.length > 0
  if (family === 'Read') return bare.has('Edit') || bare.has('Read') || read.all.length + write.all.length > 0
  if (name === 'Bash') return commands.all.length > 0
  if (name === 'WebFetch') return domains.length > 0
  return (name !== 'Agent' && name !== 'Skill') || names.has(name)
}
