import type { RuleRef, SubjectVerdict } from '../contracts/decision.ts'
import type { Call, Subject, Word } from '../contracts/subject.ts'
import { adviceOn, describeReason } from './describeReason.ts'
import { shortPath } from './describeSubject.ts'
import { baseName } from './matchers/baseName.ts'
import { matchesGlob } from './matchesGlob.ts'
import { OWN_RULE, type Policy, type Rule } from './Policy.ts'

const MAX_EXAMPLES = 6

/** A call that is not allowed, and the part of it that decided; without a subject a rule on the tool as a whole did. */
export type DeniedCall = {
  readonly call: Call
  readonly verdict: SubjectVerdict
  readonly subject: Subject | undefined
}

/** One or two sentences for the model: what was not allowed and why, and what of the same kind is. */
export function explainDenial(policy: Policy, { call, verdict, subject }: DeniedCall): string {
  const what = `${call.tool}: \`${verdict.subject}\``
  const { reason, behavior } = verdict
  if (reason.type === 'rule') {
    const by = `the rule ${describeRule(policy, reason.rule)}`
    if (behavior !== 'deny') return `${what} needs a person's consent by ${by}, and nobody is there to ask.`
    if (reason.why) return `${what} may be what ${by} is against: ${seen(subject)}. ${adviceOn(reason.why)}`
    if (isVague(subject))
      return `${what} may be what ${by} is against, for a word is known only when it runs. Write it out.`
    return `${what} is denied by ${by}. Do not look for another way to do the same.`
  }
  const why = 'why' in reason ? reason.why : undefined
  const advice = why === undefined ? '' : adviceOn(why)
  if (reason.type === 'opaque') {
    return `${call.tool} was not run, because it cannot be judged beforehand: ${reason.detail}.${advice === '' ? '' : ` ${advice}`}`
  }
  if (reason.type === 'protected') return `${what} is not allowed: ${reason.detail}.`
  const detail = reason.type === 'headless' && why?.code !== 'noRule' ? ` (${reason.detail})` : ''
  const allowed = subject === undefined ? NOTHING : allowedOfTheSameKind(policy, call, subject)
  return `${what} is not allowed by the policy${detail}. ${advice === '' ? allowed : `${advice} ${allowed}`}`
}

/** Why the commands of a part are not seen. */
function seen(subject: Subject | undefined): string {
  if (subject?.kind === 'opaque') return describeReason(subject.reason)
  const why = subject?.kind === 'command' ? subject.chain.find((link) => link.isUnseen)?.why : undefined
  return why === undefined ? 'what it runs cannot be seen' : describeReason(why)
}

/** True where a word that decides is known only when it runs. */
function isVague(subject: Subject | undefined): boolean {
  return (
    subject?.kind === 'command' &&
    subject.chain.some(({ argv }) => argv.some(({ kind }) => kind === 'dynamic' || kind === 'many'))
  )
}

const NOTHING = 'Nothing of this kind is allowed, so do not try variants.'

function describeRule(policy: Policy, { text, file, line }: RuleRef): string {
  const place = line > 0 ? `${shortPath(policy.cwd, file)}:${line}` : file
  return `\`${text}\` (${place})`
}

function allowedOfTheSameKind(policy: Policy, call: Call, subject: Subject): string {
  const rules = policy.rules.filter(
    (rule) => rule.list === 'allow' && rule.file !== OWN_RULE && isOfKind(rule, call, subject),
  )
  if (rules.length === 0) return NOTHING
  const texts = [...new Set(rules.map((rule) => `\`${rule.text}\``))]
  const more = texts.length > MAX_EXAMPLES ? ` and ${texts.length - MAX_EXAMPLES} more` : ''
  return `Allowed of this kind: ${texts.slice(0, MAX_EXAMPLES).join(', ')}${more}.`
}

/** The same program, the same access to files, the same server, the same tool: what a variant could be tried with. */
function isOfKind({ tool, target }: Rule, call: Call, subject: Subject): boolean {
  switch (subject.kind) {
    case 'command':
      return target.kind === 'command' && subject.chain.some(({ argv }) => mayStart(target.pattern, argv[0]))
    case 'path':
      return target.kind === 'path' && (target.access === 'write' || subject.access === 'read')
    case 'domain':
      return target.kind === 'domain'
    case 'mcp':
      return target.kind === 'mcp' && target.server === subject.server
    case 'name':
      return tool === subject.tool && target.kind === 'name'
    case 'opaque':
      return tool === call.tool && target.kind === 'command'
  }
}

/** Whether the rule begins with the program. */
function mayStart(pattern: string, first: Word | undefined): boolean {
  if (first?.kind !== 'literal') return false
  const [name = ''] = pattern.trim().split(/\s|:\*$/)
  return matchesGlob(baseName(name), baseName(first.value))
}
