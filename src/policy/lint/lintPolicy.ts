import { isFolder } from '../../lib/fs/folders.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { expandBraces } from '../../lib/text/expandBraces.ts'
import { commandPatternOf } from '../matchers/parseCommandPattern.ts'
import { isPathCovered, MAX_ALTERNATIVES, type PathPattern, parsePathPatterns } from '../matchers/path.ts'
import type { Finding, Policy, Rule } from '../Policy.ts'
import { isKernelPath } from '../paths/judgeProtection.ts'
import { isOfPreset } from '../presets.ts'
import { findingOf, type Remark } from '../rules/readRules.ts'
import { familyOf } from '../rules/toolNames.ts'
import { findCover, findStronger, placeOf } from './findShadow.ts'
import { lintCommandRule } from './lintCommandRule.ts'
import { isProjectRunner } from './riskyCommands.ts'

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
    const place = { file: rule.file, line: rule.line, column: rule.column ?? 0 }
    findings.push(...remarksOn(policy, rule, twin).map((remark) => findingOf(place, 'warning', rule.text, remark)))
  }
  return findings
}

function remarksOn(policy: Policy, rule: Rule, twin: Rule | undefined): readonly Remark[] {
  // What never decides anything has no other fault.
  const idle = twin ? `is a duplicate; ${placeOf(twin)} has it too` : findStronger(policy, rule)
  if (idle !== undefined) return [{ message: idle }]
  const cover = findCover(policy, rule)
  return [
    ...(cover === undefined ? [] : [{ message: cover }]),
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
  if (rule.list !== 'allow' || policy.settings.sandbox.mode === 'required' || !coversProject(policy, rule)) return []
  const runner = policy.rules.find((other) => other.list === 'allow' && runsProject(other))
  if (runner === undefined) return []
  const message = `with ${runner.text} this is as good as allowing every command, because the agent can write the code that it runs; write \`sandbox: { mode: required }\``
  return [{ message }]
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

/** Machine folders that are rarely meant to be inside a project. */
const SYSTEM_FOLDERS = /^\/(?:etc|home|Users|root|tmp|usr|var|opt|mnt|srv|proc|sys|dev|private)(?:\/|$)/

function lintPathRule(policy: Policy, rule: Rule): readonly Remark[] {
  const { target, list, tool } = rule
  const family = target.kind === 'bare' && list === 'allow' ? familyOf(tool) : undefined
  if (family !== undefined) {
    const does = family === 'Edit' ? 'writing' : 'reading'
    return [{ message: `allows ${does} everywhere on the machine`, edit: `${family}(./**)` }]
  }
  if (target.kind !== 'path') return []
  const slip = slipOf(target.pattern, tool)
  if (slip !== undefined) return [slip]
  if (expandBraces(target.pattern.trim(), MAX_ALTERNATIVES).some((pattern) => SYSTEM_FOLDERS.test(pattern))) {
    return [
      {
        message: 'one slash starts at the project root; two start at the root of the machine',
        ...(target.pattern.startsWith('/') ? { edit: `${tool}(/${target.pattern})` } : {}),
      },
    ]
  }
  if (list !== 'allow') return []
  const patterns = parsePathPatterns(target.pattern, list, policy)
  const bases = patterns.map(({ base }) => base)
  if (bases.some(isKernelPath)) return [{ message: 'no tool opens files of /proc, /sys and /dev' }]
  const isFar = (base: string): boolean => base !== policy.cwd && isWithin(policy.cwd, base)
  if (bases.some((base) => isFar(base) || base === policy.home)) {
    return [{ message: 'reaches far outside the project; name the folder', edit: `${tool}(./**)` }]
  }
  if (target.access === 'write' && bases.includes(`${policy.cwd}/.github`)) {
    const message = 'does not open .github/workflows, which is protected; a rule that names it does'
    return [{ message, edit: 'Edit(.github/workflows/**)' }]
  }
  return [...lintSets(target.pattern, tool), ...lintFolder(policy, rule, patterns)]
}

/** `[id]` of a router is meant as a name but parsed as a set of characters. */
function lintSets(pattern: string, tool: string): readonly Remark[] {
  const set = /(?:^|\/)\[(\.{0,3}[A-Za-z][\w-]+)\](?=[/.]|$)/.exec(pattern)?.[1]
  const isSet = set === undefined || /\w-\w/.test(set) || new Set(set.toLowerCase()).size === 1
  if (isSet) return []
  const edit = `${tool}(${pattern.replace(/(?<!\\)[[\]]/g, '\\$&')})`
  return [{ message: `\`[${set}]\` is a set of characters, not the name of a folder`, edit }]
}

/** A folder without the files below it. */
function lintFolder({ cwd }: Policy, { target, tool }: Rule, patterns: readonly PathPattern[]): readonly Remark[] {
  const isPlain = patterns.some(({ base, glob, isFolder: isWhole, literal }) => {
    const place = glob === `**/${literal.slice(cwd.length + 1)}` ? literal : glob === '' ? base : undefined
    return place !== undefined && !isWhole && isFolder(place)
  })
  if (!isPlain || target.kind !== 'path') return []
  return [{ message: 'names the folder but no file in it', edit: `${tool}(${target.pattern.trim()}/**)` }]
}

/** A list or a space in a rule, which is unlikely to be part of a name. */
function slipOf(pattern: string, tool: string): Remark | undefined {
  const rule = (path: string): string => `${tool}(${path})`
  if (/\/\s|\s\//.test(pattern)) {
    return { message: 'a space is part of the name', edit: rule(pattern.replace(/\s*\/\s*/g, '/')) }
  }
  const paths = pattern
    .replace(/\{[^}]*\}/g, (braces) => braces.replaceAll(',', '\0'))
    .split(/\s*(?<!\\)[,|;]\s*/)
    .map((path) => path.replaceAll('\0', ','))
  if (paths.length < 2 || paths.includes('')) return undefined
  return { message: 'this is one name; write a rule for each path', edit: paths.map(rule).join(' and ') }
}
