import type { Decision, DecisionReason, SubjectVerdict } from '../contracts/decision.ts'
import type { Call, CommandLink, Subject } from '../contracts/subject.ts'
import { describeSubject } from './describeSubject.ts'
import { explainDenial, isUnknown } from './explainDenial.ts'
import { findBareAgainst, findBareAllow, findParameterAgainst } from './findBareRule.ts'
import { isRawAllowed } from './isRawBashAllowed.ts'
import { judgeProtection } from './judgeProtection.ts'
import { judgeUrl } from './matchers/domain.ts'
import { matcherOf } from './matchers/index.ts'
import type { Policy, Rule } from './Policy.ts'
import { isHarmlessDevice } from './protectedPaths.ts'
import { suggestRule } from './suggestRule.ts'

/**
 * The verdict on a call. Deny beats ask beats everything that cannot be judged or is protected, and that beats allow; an
 * allow must cover *every* subject. What nothing allows is `ask` with the reason `headless`. Pure.
 */
export function evaluate(policy: Policy, call: Call): Decision {
  const before = policy.origin === undefined ? undefined : evaluate(policy.origin, call)
  if (before !== undefined && isRuledOut(before)) return before
  const subjects = subjectsOf(call)
  const parts = subjects.map((subject) => judge(policy, call, subject))
  const deciding = decide(judgeTool(policy, call), parts)
  const decision = { behavior: deciding.behavior, reason: deciding.reason, parts }
  const told = tellingPart(deciding, parts, subjects)
  const denied = { call, verdict: told, subject: subjects[parts.indexOf(told)] }
  return { ...decision, message: deciding.behavior === 'allow' ? '' : explainDenial(policy, denied) }
}

function isRuledOut({ behavior, reason }: Decision): boolean {
  return behavior === 'deny' || (behavior === 'ask' && reason.type === 'rule')
}

function subjectsOf(call: Call): readonly Subject[] {
  return call.subjects.length > 0 ? call.subjects : [{ kind: 'name', tool: call.tool }]
}

/** Which verdict stands for the call: the strongest against it, and among equals the first. */
function decide(whole: SubjectVerdict | undefined, parts: readonly SubjectVerdict[]): SubjectVerdict {
  const verdicts = whole ? [whole, ...parts] : parts
  return verdicts.reduce((strongest, verdict) => (rank(verdict) > rank(strongest) ? verdict : strongest))
}

/** What can be mended: where a rule stands only against a file that is not known, what keeps it from being known. */
function tellingPart(
  deciding: SubjectVerdict,
  parts: readonly SubjectVerdict[],
  subjects: readonly Subject[],
): SubjectVerdict {
  if (!isUnknown(subjects[parts.indexOf(deciding)])) return deciding
  const firm = parts.find(({ behavior }, index) => behavior === 'deny' && !isUnknown(subjects[index]))
  return firm ?? parts.find(({ reason }) => reason.type === 'opaque') ?? deciding
}

function rank({ behavior, reason }: SubjectVerdict): number {
  if (behavior === 'deny') return 5
  if (behavior === 'allow') return 0
  return { rule: 4, opaque: 3, protected: 2 }[reason.type as string] ?? 1
}

/** Deny and ask rules on the tool as a whole or on a parameter of the call. */
function judgeTool(policy: Policy, call: Call): SubjectVerdict | undefined {
  for (const list of ['deny', 'ask'] as const) {
    const rules = policy.index[list]
    const rule = findBareAgainst(rules, call) ?? findParameterAgainst(rules, call)
    if (rule) return { subject: call.tool, behavior: list, reason: { type: 'rule', rule: refOf(rule) } }
  }
  return undefined
}

function judge(policy: Policy, call: Call, subject: Subject): SubjectVerdict {
  const against = judgeAgainst(policy, subject)
  const verdict = against ?? judgeAllow(policy, call, subject)
  const suggestion = verdict.behavior === 'ask' ? suggestRule(policy, subject, verdict.reason) : undefined
  return { subject: describeSubject(policy, subject), ...verdict, ...(suggestion === undefined ? {} : { suggestion }) }
}

type Verdict = Pick<SubjectVerdict, 'behavior' | 'reason'>

function judgeAgainst(policy: Policy, subject: Subject): Verdict | undefined {
  const problem = problemOf(subject)
  if (problem !== undefined) return { behavior: 'deny', reason: { type: 'opaque', detail: problem } }
  const deny = findAgainst(policy, 'deny', subject)
  if (deny) return { behavior: 'deny', reason: { type: 'rule', rule: refOf(deny) } }
  const protection = subject.kind === 'path' ? judgeProtection(policy, subject) : undefined
  if (protection?.behavior === 'deny') return protection
  const ask = findAgainst(policy, 'ask', subject)
  if (ask) return { behavior: 'ask', reason: { type: 'rule', rule: refOf(ask) } }
  return protection
}

function findAgainst(policy: Policy, list: 'deny' | 'ask', subject: Subject): Rule | undefined {
  const rules = policy.index[list]
  if (subject.kind === 'path') {
    const bare = rules.bare.get('Read') ?? (subject.access === 'write' ? rules.bare.get('Edit') : undefined)
    if (bare) return bare
  }
  return matcherOf(subject.kind).findAgainst(rules, subject)
}

function problemOf(subject: Subject): string | undefined {
  if (subject.kind === 'domain') {
    const judged = judgeUrl(subject.url)
    return 'problem' in judged ? judged.problem : undefined
  }
  if (subject.kind !== 'path') return undefined
  if (subject.path.problem !== undefined) return subject.path.problem
  return subject.path.given.includes('\0') ? 'the path has a NUL character' : undefined
}

function judgeAllow(policy: Policy, call: Call, subject: Subject): Verdict {
  const builtin = builtinAllow(call, subject)
  if (builtin !== undefined) return { behavior: 'allow', reason: { type: 'builtin', detail: builtin } }
  const rule = findAllow(policy, call, subject) ?? findForOutput(policy, subject)
  if (rule) return { behavior: 'allow', reason: { type: 'rule', rule: refOf(rule) } }
  if (subject.kind === 'opaque') return { behavior: 'ask', reason: { type: 'opaque', detail: subject.reason } }
  const elsewhere = whyElsewhere(policy, subject)
  if (elsewhere !== undefined) return { behavior: 'ask', reason: { type: 'headless', detail: elsewhere } }
  return { behavior: 'ask', reason: headless(subject) }
}

/** A rule that spells the command with its output. */
function findForOutput(policy: Policy, subject: Subject): Rule | undefined {
  if (subject.kind !== 'path' || subject.writer === undefined) return undefined
  return matcherOf('command').findCovering(policy.index.allow, { kind: 'command', chain: [subject.writer], text: '' })
}

/** What keeps a rule from covering the command, if only the place does. */
function whyElsewhere(policy: Policy, subject: Subject): string | undefined {
  if (subject.kind !== 'command') return undefined
  const isCovered = (chain: readonly CommandLink[]): boolean =>
    matcherOf('command').findCovering(policy.index.allow, { ...subject, chain }) !== undefined
  if (isCovered(subject.chain.map((link) => ({ ...link, mayTakeBack: true }))))
    return 'an option behind those of the rule takes one of them back or gives it again'
  const inPlace = subject.chain.map(({ staysIn, ...link }) => link)
  if (isCovered(inPlace)) return 'a link leads out of the folder that the rule is about'
  const isMoved = inPlace.some((link) => link.isMoved) && isCovered(inPlace.map(({ isMoved, ...link }) => link))
  return isMoved ? 'a path in a rule is seen from the project root; do it without `cd`' : undefined
}

function builtinAllow(call: Call, subject: Subject): string | undefined {
  if (call.isFree) return `${call.tool} has no effect outside the run`
  if (subject.kind === 'command' && subject.chain.every((link) => link.cover === 'free')) return 'it needs no rule'
  if (subject.kind !== 'path') return undefined
  if (subject.source === 'operand') return 'the command needs the rule, not its operand'
  if (subject.source === 'redirect' && isHarmlessDevice(subject.path.lexical)) return 'a device that keeps nothing'
  return undefined
}

function findAllow(policy: Policy, call: Call, subject: Subject): Rule | undefined {
  const rules = policy.index.allow
  const raw = isRawAllowed(policy, call.tool) ? rules.bare.get(call.tool) : undefined
  return raw ?? findBareAllow(rules, call, subject) ?? matcherOf(subject.kind).findCovering(rules, subject)
}

/** What cannot be seen through is told apart from what only lacks a rule: hooks and judges may answer the latter alone. */
function headless(subject: Subject): DecisionReason {
  const links = subject.kind === 'command' ? subject.chain : []
  const closed = links.find((link) => link.isOpaque === true || link.cover === 'never')
  if (closed !== undefined) return { type: 'opaque', detail: closed.why ?? 'what it runs cannot be known before' }
  const why = links.find((link) => link.why !== undefined)?.why
  return { type: 'headless', detail: why ?? 'no allow rule covers it, and nobody is there to ask' }
}

function refOf({ text, list, file, line }: Rule): Extract<DecisionReason, { type: 'rule' }>['rule'] {
  return { text, list, file, line }
}
