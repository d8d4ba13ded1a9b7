import type { CommandLink } from '../../contracts/subject.ts'
import { checkInputs } from '../checkInputs.ts'
import { type CommandSubject, isCommandDenied, isLinkCovered } from '../matchers/command.ts'
import { commandPatternOf } from '../matchers/commandPatternOf.ts'
import { isMcpCovered, isMcpDenied } from '../matchers/name.ts'
import type { CommandPattern } from '../matchers/parseCommandPattern.ts'
import { type Policy, RULE_LISTS, type Rule } from '../Policy.ts'
import { type CommandRule, candidates as commandCandidates } from '../rules/commandRules.ts'
import type { RuleSet } from '../rules/indexRules.ts'
import { familyOf } from '../rules/toolNames.ts'
import { findWiderAgainst, findWiderAllow } from './findWiderPlace.ts'

/** Why another rule makes this rule useless, in words; undefined if it may have an effect. */
export function findShadow(policy: Policy, rule: Rule): string | undefined {
  for (const list of RULE_LISTS.slice(0, RULE_LISTS.indexOf(rule.list))) {
    const shadow = findWider(policy, policy.index[list], rule)
    if (shadow) return `has no effect: ${list} ${shadow.text} (${placeOf(shadow)}) is wider and stronger`
  }
  const { allow } = policy.index
  const cover = rule.list === 'allow' && !isNamedInput(policy, rule) ? findCover(policy, allow, rule) : undefined
  return cover === undefined ? undefined : `has no effect: ${cover.text} (${placeOf(cover)}) allows it already`
}

/** A rule that names an input of the checks lets them be green after a change of it, which a wider rule does not. */
function isNamedInput({ settings }: Policy, { text }: Rule): boolean {
  const [, path = ''] = /^(?:Edit|Write)\((?:\.\/)?(.+)\)$/.exec(text) ?? []
  return checkInputs(settings.checks.commands).has(path)
}

function findCover(policy: Policy, allow: RuleSet, rule: Rule): Rule | undefined {
  return findWiderPrefix(allow, rule) ?? findWiderServer(policy, rule) ?? findWiderAllow(policy, rule)
}

/** The place of a rule, for people. */
export function placeOf({ file, line, column = 1 }: Rule): string {
  return line > 0 ? `${file}:${line}:${column}` : file
}

/** A rule of a stronger list that matches every call of this rule. */
function findWider(policy: Policy, rules: RuleSet, rule: Rule): Rule | undefined {
  const { tool, target } = rule
  const bare = rules.bare.get(tool) ?? rules.bare.get(familyOf(tool) ?? tool)
  if (bare) return bare
  if (target.kind === 'command') {
    const narrow = commandPatternOf(target)
    const sample = 'error' in narrow ? undefined : sampleOf(narrow)
    if (sample === undefined || 'error' in narrow) return undefined
    const isWider = ({ pattern }: CommandRule): boolean =>
      (narrow.kind === 'exact' || isOpen(pattern)) && isCommandDenied(pattern, sample)
    return commandCandidates(rules.commands, sample).find(isWider)?.rule
  }
  if (target.kind === 'mcp') return rules.mcp.find(({ pattern }) => isMcpDenied(pattern, target))?.rule
  return findWiderAgainst(policy, rules, rule)
}

/** True for a pattern that also matches any text added at the end. */
function isOpen(pattern: CommandPattern): boolean {
  if (pattern.kind === 'glob') return pattern.hasOptionalTail || pattern.segments.at(-1) === ''
  return pattern.kind !== 'exact'
}

function findWiderPrefix(rules: RuleSet, rule: Rule): Rule | undefined {
  const narrow = rule.target.kind === 'command' ? commandPatternOf(rule.target) : undefined
  if (narrow === undefined || 'error' in narrow || narrow.kind !== 'prefix') return undefined
  const sample = sampleOf(narrow)
  const link = sample?.chain[0]
  if (!sample || !link) return undefined
  const isWider = (entry: CommandRule): boolean =>
    entry.pattern.kind === 'prefix' &&
    entry.pattern.words.length < narrow.words.length &&
    isLinkCovered(entry.pattern, link)
  return commandCandidates(rules.commands, sample).find(isWider)?.rule
}

/** An allow rule that allows everything this one does of a server; of two equal rules, the earlier. */
function findWiderServer({ rules, index }: Policy, rule: Rule): Rule | undefined {
  const { target } = rule
  if (target.kind !== 'mcp') return undefined
  const isEarlier = (other: Rule): boolean => rules.indexOf(other) < rules.indexOf(rule)
  return index.allow.mcp.find(
    ({ rule: other, pattern }) =>
      other !== rule && isMcpCovered(pattern, target) && (isEarlier(other) || !isMcpCovered(target, pattern)),
  )?.rule
}

/** The shortest command that matches a rule with a fixed prefix. */
function sampleOf(pattern: CommandPattern): CommandSubject | undefined {
  if (pattern.kind !== 'exact' && pattern.kind !== 'prefix') return undefined
  const link: CommandLink = { argv: pattern.words.map((value) => ({ kind: 'literal', value })), cover: 'wildcard' }
  return { kind: 'command', chain: [link], text: pattern.words.join(' ') }
}
