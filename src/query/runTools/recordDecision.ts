import type { Decision } from '../../contracts/decision.ts'
import type { PermissionDecisionEvent, PermissionDeniedEvent } from '../../contracts/events.ts'
import type { ToolUseBlock } from '../../contracts/messages.ts'
import type { Permission } from '../../permissions.ts'
import type { Tool, ToolInput } from '../../Tool.ts'
import type { ToolRunner } from './ToolRunner.ts'

export function decisionEvent(
  toolUse: ToolUseBlock,
  tool: Tool,
  permission: Permission,
  runner: ToolRunner,
): PermissionDecisionEvent {
  const { decision } = permission
  const suggestion = decision.reason.type === 'audit' ? suggestionOf(decision) : null
  return {
    type: 'system',
    subtype: 'permission_decision',
    tool_use_id: toolUse.id,
    tool_name: tool.name,
    decision: decision.behavior,
    behavior: permission.ruled.behavior,
    reason: decision.reason,
    policy_sha256: runner.policySha256,
    ...(suggestion === null ? {} : { suggestion }),
    parent_tool_use_id: runner.parentToolUseId,
  }
}

/** The event of a denial, with the rule, its place, and the edit that would allow the call. */
export function deniedEvent(toolUse: ToolUseBlock, tool: Tool, input: ToolInput, asked: Denied): PermissionDeniedEvent {
  const { decision, runner } = asked
  const rule = decision.reason.type === 'rule' ? decision.reason.rule : undefined
  return {
    type: 'system',
    subtype: 'permission_denied',
    tool_name: tool.name,
    tool_use_id: toolUse.id,
    tool_input: tool.observableInput(input),
    agent_id: runner.agent?.id ?? null,
    decision_reason_type: decision.reason.type,
    decision_reason: describeReason(decision),
    message: decision.message,
    rule: rule?.text ?? null,
    source: rule?.file ?? null,
    line: rule?.line ?? null,
    suggestion: suggestionOf(decision),
    parent_tool_use_id: runner.parentToolUseId,
  }
}

type Denied = { readonly decision: Decision; readonly runner: ToolRunner }

/** Rules of flags have no line. */
function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return line > 0 ? `${file}:${line}` : file
}

/** The reason in one sentence, for people. */
export function describeReason(decision: Decision): string {
  const { reason } = decision
  switch (reason.type) {
    case 'rule':
      return `${reason.rule.list} rule ${reason.rule.text} (${placeOf(reason.rule)})`
    case 'mode':
      return `permission mode ${reason.mode}`
    case 'hook':
      return `${reason.event} hook ${reason.hook}: ${reason.detail}`
    case 'protected':
    case 'effect':
      return `${reason.path}: ${reason.detail}`
    case 'classifier':
      return `${reason.model}: ${reason.detail}`
    default:
      return reason.detail
  }
}

/** The rules to add, comma-separated; null if no rule should allow the call. */
function suggestionOf(decision: Decision): string | null {
  const { suggestion = [] } = decision
  return suggestion.length === 0 ? null : suggestion.join(', ')
}
