import type { Behavior } from '../../contracts/decision.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { commandPatternOf } from '../matchers/commandPatternOf.ts'
import type { McpPattern } from '../matchers/name.ts'
import { type PathAnchors, type PathPattern, parsePathPatterns } from '../matchers/parsePathPattern.ts'
import type { Rule } from '../Policy.ts'
import { type CommandRules, indexCommandRules } from './commandRules.ts'
import { indexPathRules, type PathRule, type PathRules } from './pathRules.ts'

/** One list of rules, indexed so that a decision checks only the relevant ones. */
export type RuleSet = {
  /** Rules on every use of a tool, by its model-facing name. */
  readonly bare: ReadonlyMap<string, Rule>
  readonly commands: CommandRules
  readonly read: PathRules
  readonly write: PathRules
  readonly domains: readonly { readonly rule: Rule; readonly pattern: string }[]
  readonly mcp: readonly { readonly rule: Rule; readonly pattern: McpPattern }[]
  readonly names: ReadonlyMap<string, readonly { readonly rule: Rule; readonly pattern: string }[]>
  readonly parameters: readonly { readonly rule: Rule; readonly name: string; readonly pattern: string }[]
}

export type RuleIndex = Readonly<Record<Behavior, RuleSet>>

/**
 * What the index needs to know about the machine. `resolve` returns where a path leads, its place at the start first.
 */
export type IndexOptions = PathAnchors & { readonly resolve: (folder: string) => readonly string[] }

/** The rules of all three lists, ready to decide. */
export function indexRules(rules: readonly Rule[], options: IndexOptions): RuleIndex {
  const index = (list: Behavior): RuleSet =>
    indexList(
      rules.filter((rule) => rule.list === list),
      list,
      options,
    )
  return { deny: index('deny'), ask: index('ask'), allow: index('allow') }
}

function indexList(rules: readonly Rule[], list: Behavior, options: IndexOptions): RuleSet {
  const isFolded = list !== 'allow'
  const paths: Record<'read' | 'write', PathRule[]> = { read: [], write: [] }
  const bare = new Map<string, Rule>()
  const commands = []
  const domains = []
  const mcp = []
  const names = new Map<string, { rule: Rule; pattern: string }[]>()
  const parameters = []
  for (const rule of rules) {
    const { target } = rule
    if (target.kind === 'bare') {
      if (!bare.has(rule.tool)) bare.set(rule.tool, rule)
      if (rule.tool === 'Bash') commands.push({ rule, pattern: { kind: 'any' } as const })
    } else if (target.kind === 'command') {
      const pattern = commandPatternOf(target)
      if (!('error' in pattern)) commands.push({ rule, pattern })
    } else if (target.kind === 'path') {
      for (const pattern of patternsOf(target.pattern, list, options)) paths[target.access].push({ rule, pattern })
    } else if (target.kind === 'domain') domains.push({ rule, pattern: target.pattern })
    else if (target.kind === 'mcp') mcp.push({ rule, pattern: target })
    else if (target.kind === 'name')
      names.set(rule.tool, [...(names.get(rule.tool) ?? []), { rule, pattern: target.pattern }])
    else if (target.kind === 'parameter') parameters.push({ rule, name: target.name, pattern: target.pattern })
  }
  return {
    bare,
    commands: indexCommandRules(commands),
    read: indexPathRules(paths.read, isFolded),
    write: indexPathRules(paths.write, isFolded),
    domains,
    mcp,
    names,
    parameters,
  }
}

/**
 * The patterns, and a second one for each whose folder is a link. A deny also applies to the link's target. An allow
 * from the root or from home means the folder that is there now. Links inside the project never widen an allow.
 */
function patternsOf(text: string, list: Behavior, options: IndexOptions): readonly PathPattern[] {
  const patterns = parsePathPatterns(text, list, options)
  return [...patterns, ...patterns.flatMap((pattern) => behindLinks(pattern, list, options))]
}

function behindLinks(pattern: PathPattern, list: Behavior, options: IndexOptions): readonly PathPattern[] {
  const place = placeOf(pattern)
  const { base } = place
  if (list === 'allow' && isWithin(base, options.cwd)) return []
  const targets = options.resolve(base)
  return (list === 'allow' ? targets.slice(0, 1) : targets)
    .filter((target) => target !== base)
    .map((target) => ({ ...pattern, ...place, base: target }))
}

/** Where a pattern starts. For a name that is denied at any depth: the one directly in the project. */
function placeOf({ base, glob, literal, lastName }: PathPattern): Pick<PathPattern, 'base' | 'glob' | 'lastName'> {
  if (base !== '/') return { base, glob, lastName }
  // At any depth: `**`, and no more than two names.
  const [, , rest] = glob.split('/')
  if (rest === undefined) return { base: literal, glob: '', lastName: undefined }
  if (lastName === undefined) return { base: literal, glob: rest, lastName }
  return { base: `${literal}/${lastName}`, glob: '', lastName: undefined }
}
