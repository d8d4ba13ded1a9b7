import { commandPatternOf } from '../matchers/commandPatternOf.ts'
import { parsePathPatterns } from '../matchers/parsePathPattern.ts'
import { isPathCovered } from '../matchers/path.ts'
import type { Finding, Policy, Rule } from '../Policy.ts'
import { isOfPreset } from '../presets.ts'
import { findShadow, placeOf } from './findShadow.ts'
import { lintCommandRule } from './lintCommandRule.ts'
import { lintPathRule } from './lintPathRule.ts'
import { isProjectRunner } from './riskyCommands.ts'

/** A remark on one rule, and what to write instead. */
export type Remark = { readonly message: string; readonly edit?: string }

/**
 * What is legal but probably a mistake: rules without effect, rules that allow almost everything, deny rules that
 * another spelling gets around. Every finding names its rule's line; the loader's own warnings come first. Looks in the
 * project for the folders that rules name.
 */
export function lintPolicy(policy: Policy): readonly Finding[] {
  const findings: Finding[] = [...policy.warnings]
  const firsts = new Map<string, Rule>()
  for (const rule of policy.rules) {
    const key = `${rule.list} ${rule.text}`
    const twin = firsts.get(key)
    if (twin === undefined) firsts.set(key, rule)
    if (isOfPreset(rule)) continue
    for (const { message, edit } of remarksOn(policy, rule, twin)) {
      const advice = edit === undefined ? '' : ` (did you mean ${edit}?)`
      findings.push({
        file: rule.file,
        line: rule.line,
        column: rule.column ?? 0,
        level: 'warning',
        message: `${rule.text}: ${message}${advice}`,
        ...(edit === undefined ? {} : { edit }),
      })
    }
  }
  return findings
}

function remarksOn(policy: Policy, rule: Rule, twin: Rule | undefined): readonly Remark[] {
  const shadow = twin ? `is a duplicate; ${placeOf(twin)} has it too` : findShadow(policy, rule)
  return [
    ...(shadow === undefined ? [] : [{ message: shadow }]),
    ...lintCommandRule(policy, rule),
    ...lintPathRule(policy, rule),
    ...lintReach(policy, rule),
    ...lintDomainRule(rule),
    ...lintParameterRule(rule),
  ]
}

function lintDomainRule({ tool, list, target }: Rule): readonly Remark[] {
  if (list !== 'allow' && target.kind === 'domain' && /^[^*]*[a-z][^*]*\.\*$/.test(target.pattern)) {
    const example = target.pattern.replace(/\*$/, 'co.uk')
    return [{ message: `\`*\` is one part of a name: ${example} does not match; write a rule for each host` }]
  }
  const isAny = target.kind === 'bare' ? tool === 'WebFetch' : target.kind === 'domain' && isOpenHost(target.pattern)
  if (list !== 'allow' || !isAny) return []
  const message = 'lets the agent send what it knows to any host; name the hosts'
  return [{ message, edit: 'WebFetch(domain:example.com)' }]
}

/** Anyone can register a matching name: `*`, `*.com`, `*.*`. */
function isOpenHost(pattern: string): boolean {
  const labels = pattern.split('.')
  return pattern.includes('*') && (labels.length < 3 || labels.slice(-2).some((label) => label === '*'))
}

/** The agent tools of other programs have more parameters. */
function lintParameterRule({ tool, target }: Rule): readonly Remark[] {
  if (tool !== 'Agent' || target.kind !== 'parameter') return []
  if (['description', 'prompt'].includes(target.name)) return []
  return [{ message: `Agent has no parameter \`${target.name}\` here, so the rule never matches; name the agent` }]
}

/** An agent that may write the whole project decides what its test and build commands do. */
function lintReach(policy: Policy, rule: Rule): readonly Remark[] {
  if (rule.list !== 'allow' || rule.target.kind !== 'path' || !coversProject(policy, rule)) return []
  const runner = policy.rules.find((other) => other.list === 'allow' && runsProject(other))
  if (runner === undefined) return []
  const message = `with ${runner.text} this is as good as allowing every command, because the agent can write the code that it runs; name the folders`
  return [{ message, edit: 'Edit(src/**)' }]
}

function coversProject(policy: Policy, { target, list }: Rule): boolean {
  if (target.kind !== 'path' || target.access !== 'write') return false
  const patterns = parsePathPatterns(target.pattern, list, policy)
  return ['package.json', 'Makefile', 'a/b.c'].every((name) =>
    patterns.some((pattern) => isPathCovered(pattern, `${policy.cwd}/${name}`, 'write')),
  )
}

/** A preset's rules are not a choice of this policy's author. */
function runsProject(rule: Rule): boolean {
  const { tool, target } = rule
  if (isOfPreset(rule) || tool !== 'Bash' || target.kind !== 'command') return false
  const pattern = commandPatternOf(target)
  if (!('words' in pattern)) return false
  const [name = '', ...others] = pattern.words
  const isAsked = pattern.kind === 'exact' && others.length > 0 && others.every((word) => INFORMATION_OPTION.test(word))
  return isProjectRunner(name) && !isAsked
}

/** A program that prints information about itself runs nothing. */
const INFORMATION_OPTION = /^(?:-v|-V|-h|--version|--help)$/
