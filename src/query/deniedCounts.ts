import type { Decision } from '../contracts/decision.ts'

const MAX_SHOWN = 5
const MAX_LENGTH = 80

/** What was denied in a loop, and how often. */
export type DeniedCounts = {
  add(decision: Decision): void
  /** `: 12 × git push, 8 × write a.md`, the most frequent first; empty if nothing was denied. */
  describe(): string
}

/** Starts with nothing denied. */
export function deniedCounts(): DeniedCounts {
  const counts = new Map<string, number>()
  return {
    add(decision) {
      const subject = subjectOf(decision)
      if (subject !== undefined) counts.set(subject, (counts.get(subject) ?? 0) + 1)
    },
    describe() {
      const sorted = [...counts].sort(([, one], [, other]) => other - one)
      const shown = sorted.slice(0, MAX_SHOWN).map(([subject, times]) => `${times} × ${subject}`)
      const more = sorted.length > MAX_SHOWN ? ` and ${sorted.length - MAX_SHOWN} others` : ''
      return shown.length === 0 ? '' : `: ${shown.join(', ')}${more}`
    },
  }
}

/** The subject that decided, in one line. */
function subjectOf({ parts, reason }: Decision): string | undefined {
  const part = parts.find(({ behavior }) => behavior !== 'allow')?.subject
  const subject = part ?? (reason.type === 'effect' ? `changing ${reason.path}` : undefined)
  const line = subject?.replace(/\s+/g, ' ')
  return line !== undefined && line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line
}
