import type { Decision } from '../../contracts/decision.ts'
import type { Call } from '../../contracts/subject.ts'
import type { SuggestedRule, Suggestion } from '../../contracts/suggestion.ts'
import { evaluate } from '../evaluate.ts'
import type { Policy, Rule } from '../Policy.ts'
import { indexPolicy } from '../rules/indexPolicy.ts'
import { parseRule } from '../rules/parseRule.ts'
import { type Draft, draftRule } from './draftRule.ts'
import { patternOf } from './patternOf.ts'
import { type Wanted, widenDrafts } from './widenDrafts.ts'

/** A call, and how people write it. */
export type NamedCall = { readonly name: string; readonly call: Call }

/**
 * The allow rules that the calls need. Every suggestion anywhere is made here. With all of them added, each call that
 * is not listed as refused is allowed; that is tested before they are offered. Pure.
 */
export function suggestRules(policy: Policy, calls: readonly NamedCall[]): Suggestion {
  const refused = new Map<string, string>()
  const wanted: Wanted[] = []
  const served: NamedCall[] = []
  for (const named of calls) {
    const needs = needsOf(policy, named.call)
    if (typeof needs === 'string') refused.set(named.name, needs)
    else if (needs.length > 0) {
      served.push(named)
      wanted.push(...needs.map((draft) => ({ draft, from: [named.name] })))
    }
  }
  const wide = widenDrafts(wanted).map(toRule)
  const isLeftOut = (rules: readonly SuggestedRule[]) => {
    const after = withRules(policy, textsOf(rules))
    return ({ call }: NamedCall) => evaluate(after, call).behavior !== 'allow'
  }
  // If a wider rule does not achieve what the calls' own rules do, those are added too.
  const missed = served.filter(isLeftOut(wide)).flatMap(({ name }) => wanted.filter(({ from }) => from.includes(name)))
  const rules = missed.length === 0 ? wide : joinRules([...wide, ...missed.map(toRule)])
  for (const { name } of served.filter(isLeftOut(rules))) refused.set(name, 'no rule covers it')
  const useful = rules.flatMap(({ rule, from }) => {
    const left = from.filter((name) => !refused.has(name))
    return left.length === 0 ? [] : [{ rule, from: left }]
  })
  return {
    rules: withoutSpare(
      policy,
      useful,
      served.filter(({ name }) => !refused.has(name)),
    ),
    refused: [...refused].map(([call, why]) => ({ call, why })),
  }
}

function textsOf(rules: readonly SuggestedRule[]): readonly string[] {
  return rules.map(({ rule }) => rule)
}

/** A call that needs more rules is offered none: nobody would read them. */
const MAX_NEEDS = 30

/** What else needs to be covered; empty for an allowed call, a sentence if no rule should be offered. */
function needsOf(policy: Policy, call: Call): readonly Wanted['draft'][] | string {
  const decision = evaluate(policy, call)
  if (decision.behavior === 'allow') return []
  const { reason } = decision
  if (reason.type === 'rule') return `the ${reason.rule.list} rule ${reason.rule.text} matches it`
  const subjects = call.subjects.length > 0 ? call.subjects : [{ kind: 'name', tool: call.tool } as const]
  const drafts: Wanted['draft'][] = []
  for (const [at, subject] of subjects.entries()) {
    const part = decision.parts[at]
    if (part?.behavior === 'allow') continue
    const draft: Draft =
      part?.behavior === 'deny' ? { kind: 'refused', why: detailOf(part) } : draftRule(policy, subject)
    if (draft.kind === 'refused') return draft.why
    if (drafts.length === MAX_NEEDS) return `it needs more than ${MAX_NEEDS} new rules; split it`
    drafts.push(draft)
  }
  return drafts
}

function detailOf({ reason }: Decision['parts'][number]): string {
  if (reason.type === 'rule') return `the ${reason.rule.list} rule ${reason.rule.text} matches it`
  return 'detail' in reason ? reason.detail : 'it is denied'
}

function toRule({ draft, from }: Wanted): SuggestedRule {
  switch (draft.kind) {
    case 'command':
      return { rule: `Bash(${draft.words.join(' ')}${draft.isOpen ? ' *' : ''})`, from }
    case 'path':
      return { rule: `${draft.access === 'read' ? 'Read' : 'Edit'}(${patternOf(draft.path)})`, from }
    case 'whole':
      return { rule: draft.rule, from }
  }
}

function joinRules(rules: readonly SuggestedRule[]): readonly SuggestedRule[] {
  const byText = new Map<string, readonly string[]>()
  for (const { rule, from } of rules) byText.set(rule, [...new Set([...(byText.get(rule) ?? []), ...from])])
  return [...byText].map(([rule, from]) => ({ rule, from }))
}

/** Without rules that the others make unnecessary. */
function withoutSpare(
  policy: Policy,
  rules: readonly SuggestedRule[],
  calls: readonly NamedCall[],
): readonly SuggestedRule[] {
  let kept = rules
  for (const rule of rules.length > 1 ? rules : []) {
    const rest = kept.filter((each) => each !== rule)
    const after = withRules(policy, textsOf(rest))
    const needing = calls.filter(({ name }) => rule.from.includes(name))
    if (needing.every(({ call }) => evaluate(after, call).behavior === 'allow')) kept = rest
  }
  return kept
}

/** The same policy with more allow rules, as if they were in its file. */
export function withRules(policy: Policy, texts: readonly string[]): Policy {
  const added = texts.map((text): Rule => {
    const { tool, target } = parseRule(text, 'allow')
    return { text, list: 'allow', file: 'a suggestion', line: 0, tool, target }
  })
  const { rules, indexed = rules, cwd, home, links } = policy
  const all = [...indexed, ...added]
  return {
    ...policy,
    rules: [...rules, ...added],
    indexed: all,
    ...indexPolicy({ rules: all, cwd, home, before: links }),
  }
}
