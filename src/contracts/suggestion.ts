/** An allow rule to add, and the calls that it is for, as people write them. */
export type SuggestedRule = { readonly rule: string; readonly from: readonly string[] }

/** What a policy would need to let calls pass, and the calls for which no rule is offered, each with the reason. */
export type Suggestion = {
  readonly rules: readonly SuggestedRule[]
  readonly refused: readonly { readonly call: string; readonly why: string }[]
}
