import type { Decision, DecisionReason, SubjectVerdict } from '../contracts/decision.ts'
import type { Reason } from '../contracts/reason.ts'
import type { Call, Subject } from '../contracts/subject.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { describeReason } from './explain/describeReason.ts'
import { describeSubject, explainDenial } from './explain/explainDenial.ts'
import { isLinkCovered, type Leniency, mayContainCommand } from './matchers/command.ts'
import { judgeUrl } from './matchers/domain.ts'
import { matcherOf } from './matchers/index.ts'
import type { Policy, Rule } from './Policy.ts'
import { isHarmlessDevice, isUnsandboxed, judgeProtection, needsNoRule } from './paths/judgeProtection.ts'
import { findBareAgainst, findBareAllow, findParameterAgainst, isRawAllowed } from './rules/bareRules.ts'
import { commandCandidates } from './rules/indexRules.ts'

/**
 * The verdict on a call. Deny beats ask. Both beat anything that cannot be judged or is protected, and that beats
 * allow. An allow must cover *every* subject. What nothing allows is `ask` with the reason `headless`. Pure.
 */
export function evaluate(policy: Policy, call: Call): Decision {
  const before = policy.origin === undefined ? undefined : evaluate(policy.origin, call)
  if (before !== undefined && isRuledOut(before)) return before
  const subjects = subjectsOf(call)
  const parts = subjects.map((subject) => judge(policy, call, subject))
  const deciding = decide(judgeTool(policy, call), parts)
  const { behavior, reason } = deciding
  const denial = () => explainDenial(policy, call.tool, deciding, subjects[parts.indexOf(deciding)])
  return { behavior, reason, parts, message: behavior === 'allow' ? '' : denial() }
}

function isRuledOut({ behavior, reason }: Decision): boolean {
  return behavior === 'deny' || (behavior === 'ask' && reason.type === 'rule')
}

function subjectsOf(call: Call): readonly Subject[] {
  return call.subjects.length > 0 ? call.subjects : [{ kind: 'name', tool: call.tool }]
}

/** The verdict for the whole call: the strongest one against it, and the first among equals. */
function decide(whole: SubjectVerdict | undefined, parts: readonly SubjectVerdict[]): SubjectVerdict {
  const verdicts = whole ? [whole, ...parts] : parts
  return verdicts.reduce((strongest, verdict) => (rank(verdict) > rank(strongest) ? verdict : strongest))
}

function rank({ behavior, reason }: SubjectVerdict): number {
  if (behavior === 'deny') return 5
  if (behavior === 'allow') return 0
  return { rule: 4, opaque: 3, protected: 2 }[reason.type as string] ?? 1
}

function judgeTool(policy: Policy, call: Call): SubjectVerdict | undefined {
  for (const list of ['deny', 'ask'] as const) {
    const rules = policy.index[list]
    const rule = findBareAgainst(rules, call) ?? findParameterAgainst(rules, call)
    if (rule) return { subject: call.tool, behavior: list, reason: { type: 'rule', rule: refOf(rule) } }
  }
  return undefined
}

function judge(policy: Policy, call: Call, subject: Subject): SubjectVerdict {
  const against = judgeAgainst(policy, subject) ?? judgeUnseen(policy, call, subject)
  const verdict = against ?? judgeAllow(policy, call, subject)
  return { subject: describeSubject(policy, subject), ...verdict }
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

/**
 * Commands that no word shows. If only a bare `Bash` allows them, a deny or ask rule for commands may apply to any of
 * them. For a text that is passed on, or that bash expands, a rule applies if the text contains all its words.
 */
function judgeUnseen(policy: Policy, call: Call, subject: Subject): Verdict | undefined {
  const text = hiddenText(call, subject)
  if (text === undefined || !isRawAllowed(policy, call.tool)) return undefined
  if (matcherOf(subject.kind).findCovering(policy.index.allow, subject)) return undefined
  for (const list of ['deny', 'ask'] as const) {
    const rules = policy.index[list].commands.all
    const rule = isUnseen(subject)
      ? rules[0]?.rule
      : rules.find(({ pattern }) => mayContainCommand(pattern, text))?.rule
    if (rule) return { behavior: list, reason: { type: 'rule', rule: refOf(rule), why: { code: 'mayContainCommand' } } }
  }
  return undefined
}

/** The text that may contain hidden commands; undefined if every command is visible. */
function hiddenText({ input }: Call, subject: Subject): string | undefined {
  const line = String(input['command'] ?? '')
  if (subject.kind === 'opaque') return line
  if (subject.kind !== 'command') return undefined
  // An assignment before the command is not one of its words.
  if (subject.chain.some(({ cover }) => cover === 'never')) return line
  return subject.chain.some(({ cover, isUnseen }) => cover === 'exact' || isUnseen) ? subject.text : undefined
}

/** Whether commands may run in it that no word shows. */
export function isUnseen(subject: Subject): boolean {
  if (subject.kind === 'opaque') return subject.isUnseen === true
  return subject.kind === 'command' && subject.chain.some((link) => link.isUnseen)
}

function judgeAllow(policy: Policy, call: Call, subject: Subject): Verdict {
  const rule = findAllow(policy, call, subject)
  const builtin = builtinAllow(policy, call, subject)
  // A rule for a file says more than that the command may name it.
  if (builtin !== undefined && !(rule && subject.kind === 'path'))
    return { behavior: 'allow', reason: { type: 'builtin', detail: builtin } }
  if (rule) return { behavior: 'allow', reason: { type: 'rule', rule: refOf(rule) } }
  const why = whyNot(policy, subject)
  const type = subject.kind === 'opaque' || isClosed(subject) ? 'opaque' : 'headless'
  return { behavior: 'ask', reason: { type, detail: describeReason(why), why } }
}

/** Separates what cannot be analyzed from what only lacks a rule: hooks and judges may answer only the latter. */
function isClosed(subject: Subject): boolean {
  return subject.kind === 'command' && subject.chain.some((link) => link.isUnseen === true || link.cover === 'never')
}

/** Why nothing allows the subject, if that helps to find what would. */
function whyNot(policy: Policy, subject: Subject): Reason {
  if (subject.kind === 'opaque') return subject.reason
  if (subject.kind === 'path' && subject.source === 'operand')
    return { code: 'reachesOutside', path: subject.path.lexical, access: subject.access }
  if (subject.kind !== 'command') return { code: 'noRule' }
  const { chain } = subject
  const rules = commandCandidates(policy.index.allow.commands, subject)
  const isCovered = (lenient: Leniency): boolean =>
    chain.every((link) => link.cover === 'none' || rules.some(({ pattern }) => isLinkCovered(pattern, link, lenient)))
  if (isCovered({ overridesRule: true })) return { code: 'takenBack' }
  if (isCovered({ isMoved: true })) return { code: 'moved' }
  const strict = chain.find((link) => link.cover === 'never') ?? chain.find((link) => link.cover === 'exact')
  return (strict ?? chain.find((link) => link.why))?.why ?? { code: 'noRule' }
}

function builtinAllow(policy: Policy, call: Call, subject: Subject): string | undefined {
  if (call.isFree) return `${call.tool} has no effect outside the run`
  if (subject.kind === 'command' && subject.chain.every((link) => link.cover === 'none')) return 'it needs no rule'
  if (subject.kind !== 'path' || subject.source === 'tool') return undefined
  if (isHarmlessDevice(subject.path.lexical)) return 'a device that stores nothing'
  const isHeld = !isUnsandboxed(policy)
  const isBare = isHeld && isRawAllowed(policy, call.tool)
  if (subject.source === 'operand') {
    // The view judges what a file command changes, and hides what is outside. Without the sandbox nothing is hidden.
    if (isHeld && (subject.access === 'write' || isBare)) return 'the command needs the rule, not its operand'
    if (subject.access === 'write')
      return needsNoRule(policy, subject.path, 'write') ? freeWrite(policy, subject.path.resolved) : undefined
    return needsNoRule(policy, subject.path, 'read') ? 'commands may read there' : undefined
  }
  return needsNoRule(policy, subject.path, isBare ? 'bare' : 'write')
    ? freeWrite(policy, subject.path.resolved)
    : undefined
}

/** What becomes of a file that a command line may write without a rule. */
function freeWrite({ cwd, settings }: Policy, path: string): string {
  const isInside = [cwd, ...settings.additionalDirectories].some((folder) => isWithin(path, folder))
  return isInside ? 'no rule covers it, so it stays only if git ignores it' : 'commands may write there'
}

function findAllow(policy: Policy, call: Call, subject: Subject): Rule | undefined {
  const rules = policy.index.allow
  const isLine = subject.kind === 'command' || subject.kind === 'opaque'
  const raw = isLine && isRawAllowed(policy, call.tool) ? rules.bare.get(call.tool) : undefined
  return raw ?? findBareAllow(rules, call, subject) ?? matcherOf(subject.kind).findCovering(rules, subject)
}

function refOf({ text, list, file, line }: Rule): Extract<DecisionReason, { type: 'rule' }>['rule'] {
  return { text, list, file, line }
}
