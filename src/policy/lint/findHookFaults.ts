import { CALL_EVENTS, HOOK_EVENTS } from '../../contracts/settings.ts'
import { orElse } from '../../lib/orElse.ts'
import { didYouMean } from '../../lib/text/nearest.ts'
import { policySchema } from '../load/policySchema.ts'
import type { PolicySource } from '../load/readPolicyFiles.ts'
import type { Finding } from '../Policy.ts'
import { parseRule } from '../rules/parseRule.ts'
import { allToolNames, toolKnowledge } from '../rules/toolNames.ts'

type HookSource = Pick<PolicySource, 'data' | 'yaml' | 'label'>

/** Events on which a hook is there to decide. */
const DECIDING_EVENTS = new Set<string>([
  ...['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PreCompact'],
])
const ASYNC_DECIDES =
  'async: nobody waits for this hook, so it can block nothing here; remove `async` if it is to decide'

/** Hooks that would never run as intended: a matcher that is no expression or fits no tool, an invalid `if` rule. */
export function findHookFaults({ data, yaml, label }: HookSource, tools: readonly string[]): readonly Finding[] {
  const hooks = policySchema.shape.hooks.safeParse(data['hooks']).data ?? {}
  const findings: Finding[] = []
  const add = (path: readonly PropertyKey[], message: string, level: Finding['level'] = 'error'): void => {
    findings.push({ file: label, ...yaml.positionOf(path), level, message })
  }
  for (const event of HOOK_EVENTS) {
    for (const [group, { matcher, hooks: entries }] of (hooks[event] ?? []).entries()) {
      const path = ['hooks', event, group]
      const problem = matcher === undefined || matcher === '*' ? undefined : problemOfPattern(matcher)
      if (problem !== undefined) add([...path, 'matcher'], `matcher: ${problem}`)
      const doubt =
        problem === undefined && CALL_EVENTS.some((name) => name === event) ? doubtOf(matcher ?? '', tools) : undefined
      if (doubt !== undefined) add([...path, 'matcher'], `matcher: ${doubt}`, 'warning')
      for (const [index, hook] of entries.entries()) {
        if ('async' in hook && hook.async === true && DECIDING_EVENTS.has(event)) {
          add([...path, 'hooks', index, 'async'], ASYNC_DECIDES, 'warning')
        }
        const rule = hook.if === undefined ? undefined : parseRule(hook.if, 'deny', tools).problem
        if (rule) add([...path, 'hooks', index, 'if'], `if: ${rule.message}`)
      }
    }
  }
  return findings
}

function problemOfPattern(pattern: string): string | undefined {
  return orElse(`${JSON.stringify(pattern)} is not a regular expression`, () => void new RegExp(pattern))
}

/** Why a matcher fits no tool. Letters, digits, spaces, `,` and `|` are whole names, anything else an expression. */
function doubtOf(matcher: string, tools: readonly string[]): string | undefined {
  const text = matcher.trim()
  if (text === '' || text === '*') return undefined
  const known = [...allToolNames(), ...tools]
  if (/^[\w\-, |]+$/.test(text)) {
    const names = text.split(/[|,]/).map((name) => name.trim())
    const isKnown = (name: string): boolean =>
      name.startsWith('mcp__') || known.includes(name) || toolKnowledge(name) !== 'unknown'
    const lost = names.find((name) => !isKnown(name))
    if (lost === undefined) return undefined
    return `there is no tool ${JSON.stringify(lost)}${didYouMean(lost, known)}; the hook does not run for it`
  }
  const expression = new RegExp(text)
  if (text.includes('mcp__') || known.some((name) => expression.test(name))) return undefined
  const [, tool] = /^([A-Za-z]\w*)\(.*\)$/.exec(text) ?? []
  const advice = tool === undefined ? '' : `; write \`matcher: ${tool}\` and \`if: ${JSON.stringify(text)}\``
  return `${JSON.stringify(text)} fits no tool, so the hook never runs${advice}`
}
