import type { Behavior, RuleRef } from '../contracts/decision.ts'
import type { ChangeVerdict, CommandEffects, PathChange } from '../contracts/effects.ts'

/** What the rules and the built-in protections say of writing a path; `rule` where one decided. */
export type Ruling = { readonly behavior: Behavior; readonly rule?: RuleRef }

/** Where the two states of a path of the checkout can be read. */
export type PathStates = {
  /** The state after the command: in the upper folder of a view, or the path itself. Asked for changed paths only. */
  now(path: string): string
  /** The state before it: the path itself where the checkout is untouched. Undefined where nothing stood there. */
  before(path: string): string | undefined
}

export type JudgeContext = { readonly effects: CommandEffects; readonly states: PathStates }

export type JudgedChange = { readonly change: PathChange; readonly verdict: ChangeVerdict }

/**
 * Says what becomes of each change, in the order given. All changes of a command come in one call, what lies in a new
 * folder included. Must not throw.
 */
export type JudgeChanges = (changes: readonly PathChange[], context: JudgeContext) => Promise<readonly JudgedChange[]>
