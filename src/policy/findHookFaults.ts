import { HOOK_EVENTS } from '../contracts/settings.ts'
import type { Finding } from './Policy.ts'
import { parseRule } from './parseRule.ts'
import { policySchema } from './policySchema.ts'
import type { PolicySource } from './readPolicyFiles.ts'

/** Hooks that would never run as meant: a matcher that is no regular expression, an `if` that is no rule. */
export function findHookFaults({ data, yaml, label }: PolicySource, tools: readonly string[]): readonly Finding[] {
  const hooks = policySchema.shape.hooks.safeParse(data['hooks']).data ?? {}
  const findings: Finding[] = []
  const add = (path: readonly PropertyKey[], message: string): void => {
    findings.push({ file: label, ...yaml.positionOf(path), level: 'error', message })
  }
  for (const event of HOOK_EVENTS) {
    for (const [group, { matcher, hooks: entries }] of (hooks[event] ?? []).entries()) {
      const path = ['hooks', event, group]
      const problem = matcher === undefined || matcher === '*' ? undefined : problemOfPattern(matcher)
      if (problem !== undefined) add([...path, 'matcher'], `matcher: ${problem}`)
      for (const [index, hook] of entries.entries()) {
        const rule = hook.if === undefined ? undefined : parseRule(hook.if, 'deny', tools).problem
        if (rule) add([...path, 'hooks', index, 'if'], `if: ${rule.message}`)
      }
    }
  }
  return findings
}

function problemOfPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern)
    return undefined
  } catch {
    return `${JSON.stringify(pattern)} is no regular expression`
  }
}
