import type { OutputSettings } from '../../contracts/settings.ts'
import type { OutputKind, ProposedOutput } from '../../lib/proposedOutput.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'

/**
 * Why an output is not allowed, in words for the agent and for people; undefined if it is. `earlier` are the outputs
 * accepted before it: no kind has more than its `max`.
 */
export function judgeOutput(
  output: ProposedOutput,
  settings: OutputSettings,
  earlier: readonly { readonly kind: OutputKind }[],
): string | undefined {
  const rule = settings[output.kind]
  if (rule === undefined) {
    const kinds = Object.keys(settings).join(', ') || 'none'
    return `the policy has no outputs.${output.kind}; it has: ${kinds}`
  }
  if (earlier.filter(({ kind }) => kind === output.kind).length >= rule.max) {
    return `outputs.${output.kind}.max is ${rule.max}, and there are already that many`
  }
  if (output.kind === 'label') {
    const { allow } = rule
    const stray = output.labels.find((label) => !(allow ?? ['*']).some((glob) => matchesGlob(glob, label)))
    if (stray !== undefined) return `outputs.label.allow does not name the label ${JSON.stringify(stray)}`
  }
  return 'number' in output && output.number !== undefined ? judgeTarget(output.number, rule.target) : undefined
}

function judgeTarget(number: number, target = 'triggering'): string | undefined {
  if (target === '*' || target === String(number)) return undefined
  return target === 'triggering'
    ? `it names #${number}, and only the issue that triggered the run may be a target (no \`target\` in the policy)`
    : `it names #${number}, and only #${target} may be a target`
}
