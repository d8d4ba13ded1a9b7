import { relative } from 'node:path'
import type { RuleRef, SubjectVerdict } from '../../contracts/decision.ts'
import type { Subject, Word } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'
import { programName } from '../../lib/text/programName.ts'
import { cut } from '../../lib/text/words.ts'
import { patternOf } from '../matchers/globs.ts'
import { matcherOf } from '../matchers/index.ts'
import { mcpName } from '../matchers/name.ts'
import { OWN_RULE, type Policy, type Rule } from '../Policy.ts'
import type { RuleSet } from '../rules/indexRules.ts'
import { adviceOn, describeReason } from './describeReason.ts'

const MAX_EXAMPLES = 6

/** Two sentences for the model: what is not allowed and why, and what similar is. No `subject`: a whole tool's rule. */
export function explainDenial(policy: Policy, tool: string, verdict: SubjectVerdict, subject?: Subject): string {
  const what = `${tool}: ${subject === undefined ? `\`${verdict.subject}\`` : wordsFor(policy, subject)}`
  const { reason, behavior } = verdict
  if (reason.type === 'rule') {
    const by = `the rule ${describeRule(policy, reason.rule)}`
    if (behavior !== 'deny') return `${what} needs approval because of ${by}, and nobody is there to ask.`
    if (reason.why) return `${what} may do what ${by} denies: ${seen(subject)}. ${adviceOn(reason.why)}`
    if (subject !== undefined && !matchesForSure(policy.index[behavior], reason.rule.text, subject))
      return `${what} may do what ${by} denies: one of its words is known only at run time. Write that word out.`
    return `${what} is denied by ${by}. Do not look for another way to do the same thing.`
  }
  const why = 'why' in reason ? reason.why : undefined
  const advice = why === undefined ? '' : adviceOn(why)
  if (reason.type === 'opaque') {
    const judged = why?.code === 'construct' ? '' : ' because it cannot be judged in advance'
    return `${tool} was not run${judged}: ${reason.detail}.${advice === '' ? '' : ` ${advice}`}`
  }
  if (reason.type === 'protected')
    return `${what} is not allowed: ${reason.detail}.${behavior === 'ask' ? openingRule(policy, subject) : ''}`
  const detail = reason.type === 'headless' && why?.code !== 'noRule' ? reason.detail : 'no allow rule covers it'
  const allowed = subject === undefined ? NOTHING : allowedOfTheSameKind(policy, subject)
  const parts = [`${what} is not allowed: ${detail}.`, whereabouts(policy, subject), advice, allowed]
  return parts.filter((part) => part !== '').join(' ')
}

/** A model may think that the project is elsewhere. */
function whereabouts({ cwd, settings }: Policy, subject: Subject | undefined): string {
  if (subject?.kind !== 'path' || subject.source !== 'tool') return ''
  const folders = [cwd, ...settings.additionalDirectories]
  return folders.some((folder) => isWithin(subject.path.lexical, folder)) ? '' : `The project is ${cwd}.`
}

function openingRule({ cwd }: Policy, subject: Subject | undefined): string {
  if (subject?.kind !== 'path') return ''
  const { lexical } = subject.path
  const path = isWithin(lexical, cwd) ? relative(cwd, lexical) : lexical
  const tool = subject.access === 'read' ? 'Read' : 'Edit'
  return ` Only a rule that names it exactly allows it: \`${tool}(${patternOf(path)})\`.`
}

/** Why the commands of a subject are not visible. */
function seen(subject: Subject | undefined): string {
  if (subject?.kind === 'opaque') return describeReason(subject.reason)
  const why = subject?.kind === 'command' ? subject.chain.find((link) => link.isUnseen)?.why : undefined
  return why === undefined ? 'the command line does not show what it runs' : describeReason(why)
}

const ANY = '\u0001'

/** True if a rule against the subject matches whatever the words turn out to be that are known only at run time. */
function matchesForSure(rules: RuleSet, text: string, subject: Subject): boolean {
  if (subject.kind !== 'command') return true
  const chain = subject.chain.map((link) => ({ ...link, argv: link.argv.map(known) }))
  return matcherOf('command').findAgainst(rules, { ...subject, chain })?.text === text
}

function known(word: Word): Word {
  if (word.kind === 'literal') return word
  if (word.kind === 'glob') return { kind: 'literal', value: word.value.replace(/[*?]|\[[^\]]*\]/g, ANY) }
  const end = word.kind === 'dynamic' ? (word.suffix ?? '') : ''
  return { kind: 'literal', value: `${word.prefix ?? ''}${ANY}${end}` }
}

const NOTHING = 'Nothing of this kind is allowed, so do not try variants.'

function describeRule(policy: Policy, { text, file, line }: RuleRef): string {
  const place = line > 0 ? `${displayPath(file, policy.cwd)}:${line}` : file
  return `\`${text}\` (${place})`
}

function allowedOfTheSameKind(policy: Policy, subject: Subject): string {
  const rules = policy.rules.filter(
    (rule) => rule.list === 'allow' && rule.file !== OWN_RULE && isOfKind(rule, subject),
  )
  if (rules.length === 0) return NOTHING
  const texts = [...new Set(rules.map((rule) => `\`${rule.text}\``))]
  const more = texts.length > MAX_EXAMPLES ? ` and ${texts.length - MAX_EXAMPLES} more` : ''
  return `Allowed of this kind: ${texts.slice(0, MAX_EXAMPLES).join(', ')}${more}.`
}

/** The same program, file access, server or tool: something that a variant of the call could try. */
function isOfKind({ tool, target }: Rule, subject: Subject): boolean {
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
      return false
  }
}

function mayStart(pattern: string, first: Word | undefined): boolean {
  if (first?.kind !== 'literal') return false
  const [name = ''] = pattern.trim().split(/\s|:\*$/)
  return matchesGlob(programName(name), programName(first.value))
}

const MAX_LENGTH = 200

/** A subject in a few words, for the model and for `policy explain`. */
export function describeSubject(policy: Pick<Policy, 'cwd'>, subject: Subject): string {
  return cut(describe(policy, subject), MAX_LENGTH)
}

function describe(policy: Pick<Policy, 'cwd'>, subject: Subject): string {
  switch (subject.kind) {
    case 'command':
      return subject.text
    case 'path':
      return `${subject.access} ${displayPath(subject.path.lexical, policy.cwd)}`
    case 'domain':
      return `domain ${subject.host}`
    case 'mcp':
      return mcpName(subject)
    case 'name':
      return subject.specifier === undefined ? subject.tool : `${subject.tool}(${subject.specifier})`
    case 'opaque':
      return describeReason(subject.reason)
  }
}

/** A subject as part of a sentence: a command in backticks, `writing src/a.ts`. */
function wordsFor(policy: Pick<Policy, 'cwd'>, subject: Subject): string {
  if (subject.kind === 'domain') return `fetching from ${subject.host}`
  if (subject.kind !== 'path') return `\`${describeSubject(policy, subject)}\``
  return `${subject.access === 'read' ? 'reading' : 'writing'} ${displayPath(subject.path.lexical, policy.cwd)}`
}
