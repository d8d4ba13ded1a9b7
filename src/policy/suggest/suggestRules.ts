import { posix } from 'node:path'
import type { Decision } from '../../contracts/decision.ts'
import type { SuggestedRule, Suggestion } from '../../contracts/events.ts'
import type { Call } from '../../contracts/subject.ts'
import { groupBy } from '../../lib/groupBy.ts'
import { hasRedactionMark } from '../../lib/secrets/redact.ts'
import { evaluate } from '../evaluate.ts'
import { patternOf } from '../matchers/globs.ts'
import type { Policy } from '../Policy.ts'
import { withRules } from '../rules/indexPolicy.ts'
import { ruleOf } from '../rules/parseRule.ts'
import { type Draft, draftRule, mayEndInWildcard } from './draftRule.ts'

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
    const after = withAllowed(policy, rules)
    return ({ call }: NamedCall) => evaluate(after, call).behavior !== 'allow'
  }
  // If a wider rule does not achieve what the calls' own rules do, those are added too.
  const missed = served.filter(isLeftOut(wide)).flatMap(({ name }) => wanted.filter(({ from }) => from.includes(name)))
  const rules = missed.length === 0 ? wide : joinRules([...wide, ...missed.map(toRule)])
  const after = withAllowed(policy, rules)
  for (const { name, call } of served.filter(isLeftOut(rules))) refused.set(name, whatRemains(evaluate(after, call)))
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
    if (hasRedactionMark(toRule({ draft, from: [] }).rule)) return 'it holds a secret, which a record does not show'
    if (drafts.length === MAX_NEEDS) return `it needs more than ${MAX_NEEDS} new rules; split it`
    drafts.push(draft)
  }
  return drafts
}

/** Why the rules that were drafted do not help. */
function whatRemains({ parts }: Decision): string {
  const part = parts.find(({ behavior }) => behavior !== 'allow')
  return part === undefined ? 'no rule covers it' : detailOf(part)
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
    const after = withAllowed(policy, rest)
    const needing = calls.filter(({ name }) => rule.from.includes(name))
    if (needing.every(({ call }) => evaluate(after, call).behavior === 'allow')) kept = rest
  }
  return kept
}

/** The same policy with these allow rules too. */
export function withAllowed(policy: Policy, rules: readonly Pick<SuggestedRule, 'rule'>[]): Policy {
  const place = { file: 'a suggestion', line: 0 }
  return withRules(
    policy,
    rules.map(({ rule }) => ruleOf(rule, 'allow', place)),
  )
}

/** A draft that a rule can be made from, and the calls that need it. */
type Wanted = { readonly draft: Exclude<Draft, { kind: 'refused' }>; readonly from: readonly string[] }

type Command = Wanted & { readonly draft: Extract<Draft, { kind: 'command' }> }
type Path = Wanted & { readonly draft: Extract<Draft, { kind: 'path' }> }

/**
 * Fewer and wider drafts. Commands that differ only in options, paths and numbers become one open rule. Files below one
 * folder of the project become their deepest common folder. What must not stay open is unchanged.
 */
function widenDrafts(wanted: readonly Wanted[]): readonly Wanted[] {
  const commands = wanted.filter((each): each is Command => each.draft.kind === 'command')
  const paths = wanted.filter((each): each is Path => each.draft.kind === 'path')
  const others = wanted.filter(({ draft }) => draft.kind === 'whole')
  return [
    ...groupsBy(commands, ({ draft }) => draft.words[0] ?? '').flatMap(openCommands),
    ...groupsBy(paths, placeOf).flatMap(openPaths),
    ...groupsBy(others, ({ draft }) => JSON.stringify(draft)).flatMap((group) => joined(group)),
  ]
}

function groupsBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  return [...groupBy(items, keyOf).values()]
}

/** Merges equal drafts. */
function joined<T extends Wanted>(group: readonly T[]): readonly T[] {
  const [first] = group
  return first === undefined ? [] : [{ ...first, from: allFrom(group) }]
}

function allFrom(group: readonly Wanted[]): readonly string[] {
  return [...new Set(group.flatMap(({ from }) => from))]
}

/** Commands of one program. */
function openCommands(group: readonly Command[]): readonly Wanted[] {
  const distinct = groupsBy(group, ({ draft }) => JSON.stringify(draft)).flatMap(joined)
  if (distinct.length === 1) return distinct
  const fixed = commonWords(distinct)
  const isFree = ({ draft: { words, keeps = [] } }: Command) =>
    isOperand(words[fixed.length]) && keeps.every((word) => fixed.includes(word))
  const free = distinct.filter(isFree)
  const named = distinct.filter((each) => !isFree(each))
  const split = (commands: readonly Command[]) =>
    groupsBy(commands, ({ draft }) => draft.words[fixed.length] ?? '').flatMap((each) =>
      each.length === distinct.length ? each : openCommands(each),
    )
  if (free.length < 2 || !mayEndInWildcard(fixed)) return split(distinct)
  return [{ draft: { kind: 'command', words: fixed, isOpen: true }, from: allFrom(free) }, ...split(named)]
}

function commonWords(commands: readonly Command[]): readonly string[] {
  const [first, ...others] = commands.map(({ draft }) => draft.words)
  const end = first?.findIndex((word, at) => others.some((words) => words[at] !== word)) ?? 0
  return first?.slice(0, end < 0 ? undefined : end) ?? []
}

/** True for a word that says what to work on, so not a subcommand or script name; also true without a word. */
function isOperand(word: string | undefined): boolean {
  return word === undefined || /^[-'\d]|[./~^=@]/.test(word)
}

/** Files of one project folder are merged. Files in the root, in a hidden folder, or outside stay separate. */
function placeOf({ draft: { access, path } }: Path): string {
  const [top = '', ...below] = path.split('/')
  const isAlone = below.length === 0 || top === '' || top.startsWith('.')
  return `${access} ${isAlone ? path : `${top}/`}`
}

function openPaths(group: readonly Path[]): readonly Wanted[] {
  const distinct = groupsBy(group, ({ draft }) => draft.path).flatMap(joined)
  const [first, ...others] = distinct
  if (first === undefined || others.length === 0) return distinct
  const folder = distinct.map(({ draft }) => posix.dirname(draft.path)).reduce(commonFolder)
  return [{ draft: { ...first.draft, path: `${folder}/**` }, from: allFrom(distinct) }]
}

function commonFolder(a: string, b: string): string {
  const [left, right] = [a.split('/'), b.split('/')]
  const end = left.findIndex((part, at) => part !== right[at])
  return left.slice(0, end < 0 ? undefined : end).join('/')
}
