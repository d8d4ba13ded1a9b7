import type { ChangeVerdict, PathChange, RefusedChange } from '../../contracts/effects.ts'

/** A change with the reason why it is refused; undefined if it is kept. */
export function refusedChange(change: PathChange, verdict: ChangeVerdict): RefusedChange | undefined {
  if (verdict.kind === 'never') return { change, why: verdict.why, isFinal: true }
  if (verdict.kind !== 'refused') return undefined
  const { why, rule } = verdict
  return { change, why, ...(rule !== undefined && { rule }) }
}
