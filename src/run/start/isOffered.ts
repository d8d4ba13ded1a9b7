import { isMcpCovered } from '../../policy/matchers/name.ts'
import type { Policy } from '../../policy/Policy.ts'
import type { ToolIdentity } from '../../policy/rules/bareRules.ts'
import { canonicalName, familyOf } from '../../policy/rules/toolNames.ts'
import type { Tool } from '../../Tool.ts'
import type { Session } from '../Session.ts'

/**
 * True if the tool is offered to the model: not if every call would be denied. Hooks, some modes and an audit may allow
 * what no rule does. A call of a tool that is not offered is still judged and recorded.
 */
export function isOffered({ policy, hooks, config, place }: OfferedTo, tool: Tool): boolean {
  if (tool.isFree || config.audit || mayAllow(policy, tool)) return true
  if (hooks?.has('PreToolUse') || hooks?.has('PermissionRequest')) return true
  const mode = config.permissionMode ?? policy.settings.defaultMode
  return [mode, place.mode].some((each) => each === 'auto' || each === 'acceptEdits')
}

type OfferedTo = Pick<Session, 'policy' | 'hooks' | 'config' | 'place'>

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
