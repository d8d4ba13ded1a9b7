import type { Behavior, RuleRef } from '../../contracts/decision.ts'
import type { ChangeVerdict, CommandEffects, PathChange, RefusedChange } from '../../contracts/effects.ts'

/** What the rules and the built-in protections say about writing a path; `rule` if one decided. */
export type Ruling = { readonly behavior: Behavior; readonly rule?: RuleRef }

/** Where to read the two states of a checkout path. */
export type PathStates = {
  /** After the command: in the upper folder of a view, or the path itself. Asked for changed paths only. */
  now(path: string): string
  /** The state before it: the path itself if the checkout is untouched. Undefined if nothing was there. */
  before(path: string): string | undefined
  /** Called after the judge itself rewrote a new state, such as an index without its caches. */
  rewrote?(path: string, content: Uint8Array): void
}

export type JudgeContext = { readonly effects: CommandEffects; readonly states: PathStates }

export type JudgedChange = { readonly change: PathChange; readonly verdict: ChangeVerdict }

/** Decides on all changes of a command, also the content of new folders, in the order given. Must not throw. */
export type JudgeChanges = (changes: readonly PathChange[], context: JudgeContext) => Promise<readonly JudgedChange[]>

export type Refusal = Extract<ChangeVerdict, { kind: 'refused' | 'never' }>

export const COVERED: ChangeVerdict = { kind: 'covered' }
export const SCRATCH: ChangeVerdict = { kind: 'scratch' }
export const SKIPPED: ChangeVerdict = { kind: 'skipped' }

/** True for what is in the checkout in the end. */
export function isKept({ kind }: ChangeVerdict): boolean {
  return kind === 'covered' || kind === 'scratch'
}

/** The change with the reason why it is refused; nothing if it is not. */
export function refusals({ change, verdict }: JudgedChange): readonly RefusedChange[] {
  if (verdict.kind === 'never') return [{ change, why: verdict.why, isFinal: true }]
  if (verdict.kind !== 'refused') return []
  const { why, rule } = verdict
  return [{ change, why, ...(rule !== undefined && { rule }) }]
}

/** True for a refused change to an existing path, or to a forbidden one: it undoes all that its command changed. */
export function isUndoing({ change, verdict: { kind } }: JudgedChange): boolean {
  return kind === 'never' || (kind === 'refused' && change.kind !== 'created')
}

/** A check keeps only what git ignores. Changes that a rule covers are put back silently. */
export function limited(change: PathChange, verdict: ChangeVerdict, { access }: CommandEffects): ChangeVerdict {
  if (verdict.kind !== 'covered') return verdict
  if (access === 'read') return { kind: 'refused', why: 'the command was meant only to read' }
  if (access !== 'scratch') return verdict
  return change.kind === 'created' ? { kind: 'refused', why: 'a check keeps only what git ignores' } : SKIPPED
}
