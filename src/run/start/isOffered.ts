import { mayAllow } from '../../policy/suggest/mayAllow.ts'
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
