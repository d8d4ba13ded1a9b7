import type { RunEvent } from '../../../src/contracts/events.ts'
import { INIT, stamp } from '../runs/events.ts'

/** The record of a run in another folder with these calls, one a line: `allow|deny|RULE TOOL INPUT [kept|undone PATH…]`. */
export function recordCalls(text: string, cwd: string): string {
  const events = text.split('\n').flatMap((line, at) => (line === '' ? [] : eventsOf(line, `t${at}`)))
  return stamp([{ ...INIT, cwd }, ...events])
    .map((each) => `${JSON.stringify(each)}\n`)
    .join('')
}

function eventsOf(line: string, id: string): readonly RunEvent[] {
  const [, words = '', tool = '', input = '', state, paths = ''] =
    /^(\S+|\S+\(.*?\)) (\w+) (\{.*?\})(?: (kept|undone) (.*))?$/.exec(line) ?? []
  const common = { tool_use_id: id, tool_name: tool, parent_tool_use_id: null }
  const tool_input = JSON.parse(input) as Record<string, unknown>
  const isAllowed = words === 'allow'
  const rule = { text: words, list: 'deny', file: 'policy.yml', line: 9 } as const
  const nothing = { rule: null, source: null, line: null }
  const places = paths.split(' ').map((path) => ({ path, kind: 'modified' as const }))
  const decision: RunEvent = {
    ...{ type: 'system', subtype: 'permission_decision', ...common, policy_sha256: '' },
    ...{ decision: isAllowed ? 'allow' : 'deny', behavior: isAllowed ? 'allow' : 'ask' },
    reason: isAllowed || words === 'deny' ? { type: 'headless', detail: 'x' } : { type: 'rule', rule },
  }
  const denied = { agent_id: null, decision_reason_type: 'headless', decision_reason: 'x', message: 'x' } as const
  const effects: RunEvent = {
    ...{ type: 'system', subtype: 'effects', ...common, state: 'enforced', scratch: {}, left_out: [] },
    kept: state === 'kept' ? places : [],
    undone: state === 'undone' ? places.map((place) => ({ ...place, why: 'no Edit rule covers it', ...nothing })) : [],
  }
  return [
    decision,
    isAllowed
      ? { type: 'system', subtype: 'tool_intent', ...common, tool_input, is_read_only: false, activity: tool }
      : {
          ...{ type: 'system', subtype: 'permission_denied', ...common, tool_input, ...denied, ...nothing },
          suggestion: null,
        },
    ...(state === undefined ? [] : [effects]),
  ]
}
