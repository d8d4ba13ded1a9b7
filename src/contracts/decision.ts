import type { Reason } from './reason.ts'

/** What a rule list, a mode or a hook says about a call. */
export type Behavior = 'allow' | 'ask' | 'deny'

/** How calls that no rule mentions are treated; names as in Claude Code. There is no mode that skips permissions. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto'] as const
export type PermissionMode = (typeof PERMISSION_MODES)[number]

/** A rule as its author wrote it. `line` is 1-based; 0 for a rule from a flag. */
export type RuleRef = {
  readonly text: string
  readonly list: Behavior
  readonly file: string
  readonly line: number
}

/** Why a call was decided as it was. Every decision has exactly one. */
export type DecisionReason =
  /** `why` is set if the rule does not certainly match the call, but may. */
  | { readonly type: 'rule'; readonly rule: RuleRef; readonly why?: Reason }
  | { readonly type: 'mode'; readonly mode: PermissionMode }
  | { readonly type: 'hook'; readonly event: string; readonly hook: string; readonly detail: string }
  | { readonly type: 'tool'; readonly tool: string; readonly detail: string }
  | { readonly type: 'protected'; readonly path: string; readonly detail: string }
  /** Here and below, `detail` is the sentence of `why`. */
  | { readonly type: 'opaque'; readonly detail: string; readonly why?: Reason }
  | { readonly type: 'classifier'; readonly model: string; readonly detail: string }
  | { readonly type: 'sandbox'; readonly detail: string }
  /** What a command changed, and no rule covers; only known after it ran. */
  | { readonly type: 'effect'; readonly path: string; readonly detail: string }
  /** A tool without effect outside the run. */
  | { readonly type: 'builtin'; readonly detail: string }
  /** No rule allows it; `--audit` ran it in the sandbox to find out which rules it needs. */
  | { readonly type: 'audit'; readonly detail: string }
  /** Nothing allows it, and nobody is there to ask. */
  | { readonly type: 'headless'; readonly detail: string; readonly why?: Reason }

/** One subject of a call and its decision; a line of `policy explain`. */
export type SubjectVerdict = {
  /** The thing, as text: `git diff`, `write src/a.ts`, `domain example.com`. */
  readonly subject: string
  readonly behavior: Behavior
  readonly reason: DecisionReason
}

export type Decision = {
  readonly behavior: Behavior
  readonly reason: DecisionReason
  /** One or two sentences for the model: what was not allowed, and what similar is. Empty for an allow. */
  readonly message: string
  readonly parts: readonly SubjectVerdict[]
  /** The allow rules that would allow the call; absent if there are none, or if they were not requested. */
  readonly suggestion?: readonly string[]
}

/** True if only an allow rule is missing. Hooks, `auto` and `--audit` may then still allow the call. */
export function isAbsence(decision: Decision): boolean {
  return decision.behavior === 'ask' && decision.reason.type === 'headless'
}
