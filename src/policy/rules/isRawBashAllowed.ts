import type { Policy } from '../Policy.ts'

/** True if a bare `Bash` allows every line: Bash may then run the model's own text where it cannot be rebuilt. */
export function isRawBashAllowed(policy: Policy): boolean {
  return isRawAllowed(policy, 'Bash')
}

/** The same for any tool that runs a whole script: `Bash`, `PowerShell`. */
export function isRawAllowed(policy: Policy, tool: string): boolean {
  return (tool === 'Bash' || tool === 'PowerShell') && policy.index.allow.bare.has(tool)
}
