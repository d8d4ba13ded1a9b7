import type { CommandLink } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { checkInputs } from '../checkInputs.ts'
import { type CommandSubject, isCommandDenied, isLinkCovered } from '../matchers/command.ts'
import { isHostCovered, isHostDenied } from '../matchers/domain.ts'
import { isMcpCovered, isMcpDenied, isNameDenied } from '../matchers/name.ts'
import { type CommandPattern, commandPatternOf } from '../matchers/parseCommandPattern.ts'
import { isPathCovered, isPathDenied, parsePathPatterns } from '../matchers/path.ts'
import { type Policy, RULE_LISTS, type Rule } from '../Policy.ts'
import { protectionsOf } from '../paths/judgeProtection.ts'
import { isOfPreset } from '../presets.ts'
import {
  type CommandRule,
  commandCandidates,
  type PathRule,
  pathCandidates,
  type RuleSet,
} from '../rules/indexRules.ts'
import { familyOf } from '../rules/toolNames.ts'

/** The deny or ask rule that decides every call of this rule, in words; undefined if this rule may decide one. */
export function findStronger(policy: Policy, rule: Rule): string | undefined {
  for (const list of RULE_LISTS.slice(0, RULE_LISTS.indexOf(rule.list))) {
    const shadow = findWider(policy, policy.index[list], rule)
    if (shadow) return `has no effect: ${list} ${shadow.text} (${placeOf(shadow)}) is wider and stronger`
  }
  return undefined
}

export function findCover(policy: Policy, rule: Rule): string | undefined {
  if (rule.list !== 'allow' || isNamedInput(policy, rule)) return undefined
  const cover = findWiderPrefix(policy.index.allow, rule) ?? findWiderAllow(policy, rule)
  return cover === undefined ? undefined : `has no effect: ${cover.text} (${placeOf(cover)}) allows it already`
}

/** A rule that names an input of the checks lets them be green after a change of it, which a wider rule does not. */
function isNamedInput({ settings }: Policy, { text }: Rule): boolean {
  const [, path = ''] = /^(?:Edit|Write)\((?:\.\/)?(.+)\)$/.exec(text) ?? []
  return checkInputs(settings.checks.commands).has(path)
}

export function placeOf({ file, line, column }: Rule): string {
  return `${file}:${line}:${column}`
}

function findWider(policy: Policy, rules: RuleSet, rule: Rule): Rule | undefined {
  const { tool, target } = rule
  const bare = rules.bare.get(tool) ?? rules.bare.get(familyOf(tool) ?? tool)
  if (bare) return bare
  if (target.kind === 'command') {
    const narrow = commandPatternOf(target)
    const sample = sampleOf(narrow)
    if (sample === undefined) return undefined
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
  if (narrow?.kind !== 'prefix') return undefined
  const sample = sampleOf(narrow)
  const link = sample?.chain[0]
  if (!sample || !link) return undefined
  const isWider = (entry: CommandRule): boolean =>
    entry.pattern.kind === 'prefix' &&
    entry.pattern.words.length < narrow.words.length &&
    isLinkCovered(entry.pattern, link)
  return commandCandidates(rules.commands, sample).find(isWider)?.rule
}

/** The shortest command that matches a rule with a fixed prefix. */
function sampleOf(pattern: CommandPattern): CommandSubject | undefined {
  if (pattern.kind !== 'exact' && pattern.kind !== 'prefix') return undefined
  const link: CommandLink = { argv: pattern.words.map((value) => ({ kind: 'literal', value })), cover: 'wildcard' }
  return { kind: 'command', chain: [link], text: pattern.words.join(' ') }
}

/** Sample names for a wildcard. No real rule names them. */
const FILLERS = ['q7w', 'zz9k']

/** A deny or ask rule on paths, hosts or names that matches every call of this rule. */
function findWiderAgainst(policy: Policy, rules: RuleSet, { tool, target, list }: Rule): Rule | undefined {
  if (target.kind === 'domain') {
    const hosts = hostsOf(target.pattern)
    return rules.domains.find(({ pattern }) => hosts.every((host) => isHostDenied(pattern, host)))?.rule
  }
  if (target.kind === 'name') {
    const names = FILLERS.map((filler) => target.pattern.replaceAll('*', filler))
    return rules.names.get(tool)?.find(({ pattern }) => names.every((name) => isNameDenied(pattern, name)))?.rule
  }
  if (target.kind !== 'path') return undefined
  const sets = target.access === 'write' ? [rules.read, rules.write] : [rules.read]
  const found = parsePathPatterns(target.pattern, list, policy).map(({ base, glob }) => {
    const meets = (path: string): readonly PathRule[] =>
      sets.flatMap((set) => [...pathCandidates(set, path)].filter(({ pattern }) => isPathDenied(pattern, path)))
    const samples = pathsOf(policy, base, glob)
    const [first = []] = samples.map(meets)
    return meets(base)[0] ?? first.find(({ pattern }) => samples.every((path) => isPathDenied(pattern, path)))
  })
  return found.includes(undefined) ? undefined : found[0]?.rule
}

/** An allow rule that covers everything this one on a server, paths or hosts does; of two equal rules, the earlier. */
function findWiderAllow(policy: Policy, rule: Rule): Rule | undefined {
  const isFirst = (other: Rule): boolean => policy.rules.indexOf(other) < policy.rules.indexOf(rule)
  return coversOf(policy, rule).find(
    (other) =>
      other !== rule &&
      !isOfPreset(other) &&
      (isFirst(other) || coversOf(policy, other).every((each) => each !== rule)),
  )
}

/** The allow rules that cover everything a rule covers, including the rule itself. */
function coversOf(policy: Policy, { target }: Rule): readonly Rule[] {
  const { allow } = policy.index
  if (target.kind === 'mcp') return allow.mcp.flatMap((each) => (isMcpCovered(each.pattern, target) ? each.rule : []))
  if (target.kind === 'domain') {
    const hosts = hostsOf(target.pattern)
    return allow.domains.flatMap(({ rule, pattern }) =>
      hosts.every((host) => isHostCovered(pattern, host)) ? rule : [],
    )
  }
  if (target.kind !== 'path') return []
  const { access } = target
  const samples = parsePathPatterns(target.pattern, 'allow', policy).flatMap(({ base, glob, isFolder }) =>
    pathsOf(policy, base, glob).flatMap((path) => (isFolder ? [`${path}/${FILLERS[0]}`] : [path])),
  )
  // A rule that names a protected place opens it, even if another rule covers it.
  if (samples.some((path) => protectionsOf(path, access, policy.home).length > 0)) return []
  // Only of the same kind: a Read rule is useful next to an Edit rule that includes it, because it states the intent.
  const set = access === 'read' ? allow.read : allow.write
  const [first, ...others] = samples.map(
    (path) =>
      new Set(
        [...pathCandidates(set, path)]
          .filter(({ pattern }) => isPathCovered(pattern, path, access))
          .map(({ rule }) => rule),
      ),
  )
  return [...(first ?? [])].filter((rule) => others.every((found) => found.has(rule)))
}

/** Sample paths that match the pattern, near and deep; none if a sample cannot represent the pattern. */
function pathsOf({ cwd }: Policy, base: string, glob: string): readonly string[] {
  const start = glob.startsWith('**') && isWithin(cwd, base) ? cwd : base
  if (glob === '') return [start]
  return FILLERS.map((filler) => {
    const deep = glob.replaceAll('**', `${filler}/${filler}`).replace(/\\(.)|\[[^\]]*\]|[*?]/g, (found, escaped) => {
      if (escaped !== undefined) return escaped
      return found === '*' ? filler : (/[^[!^\\]/.exec(found.replace('?', 'q'))?.[0] ?? 'q')
    })
    return `${start === '/' ? '' : start}/${deep}`
  })
}

function hostsOf(pattern: string): readonly string[] {
  if (pattern === '*') return FILLERS.map((filler) => `${filler}.${filler}`)
  return FILLERS.map((filler) => pattern.replaceAll('*', filler))
}
