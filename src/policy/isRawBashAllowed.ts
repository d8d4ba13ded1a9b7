import type { Policy } from './Policy.ts'

const known = new WeakMap<Policy, boolean>()

/**
 * True when a bare `Bash` allows every line and no deny or ask rule looks at commands or paths: Bash may run the model's own
 * text. Built-in protections do not count.
 */
export function isRawBashAllowed(policy: Policy): boolean {
  return isRawAllowed(policy, 'Bash')
}

/** The same for any tool that runs a whole script: `Bash`, `PowerShell`. */
export function isRawAllowed(policy: Policy, tool: string): boolean {
  return (tool === 'Bash' || tool === 'PowerShell') && policy.index.allow.bare.has(tool) && !hasScopedRules(policy)
}

function hasScopedRules(policy: Policy): boolean {
  const answer = known.get(policy) ?? policy.rules.some(isScoped)
  known.set(policy, answer)
  return answer
}

/** Only what takes away counts: an allow more must never make a call worse. */
function isScoped({ list, tool, target }: Policy['rules'][number]): boolean {
  if (list === 'allow') return false
  return target.kind === 'command' || target.kind === 'path' || tool === 'Read' || tool === 'Edit'
}
