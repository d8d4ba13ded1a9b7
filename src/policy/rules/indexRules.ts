import type { Behavior } from '../../contracts/decision.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { groupBy } from '../../lib/groupBy.ts'
import { programName } from '../../lib/text/programName.ts'
import { caseFold } from '../matchers/caseFold.ts'
import type { CommandSubject } from '../matchers/command.ts'
import type { McpIdentity } from '../matchers/name.ts'
import { type CommandPattern, commandPatternOf, SEPARATOR } from '../matchers/parseCommandPattern.ts'
import { type PathAnchors, type PathPattern, parsePathPatterns } from '../matchers/path.ts'
import type { Rule } from '../Policy.ts'

/** One list of rules, indexed so that a decision checks only the relevant ones. */
export type RuleSet = {
  readonly bare: ReadonlyMap<string, Rule>
  readonly commands: CommandRules
  readonly read: PathRules
  readonly write: PathRules
  readonly domains: readonly { readonly rule: Rule; readonly pattern: string }[]
  readonly mcp: readonly { readonly rule: Rule; readonly pattern: McpIdentity }[]
  readonly names: ReadonlyMap<string, readonly { readonly rule: Rule; readonly pattern: string }[]>
  readonly parameters: readonly { readonly rule: Rule; readonly name: string; readonly pattern: string }[]
}

export type RuleIndex = Readonly<Record<Behavior, RuleSet>>

/**
 * What the index needs to know about the machine. `resolve` returns where a path leads, its place at the start first.
 */
export type IndexOptions = PathAnchors & { readonly resolve: (folder: string) => readonly string[] }

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
  const names = []
  const parameters = []
  for (const rule of rules) {
    const { target } = rule
    if (target.kind === 'bare') {
      if (!bare.has(rule.tool)) bare.set(rule.tool, rule)
      if (rule.tool === 'Bash') commands.push({ rule, pattern: { kind: 'any' } as const })
    } else if (target.kind === 'command') {
      commands.push({ rule, pattern: commandPatternOf(target) })
    } else if (target.kind === 'path') {
      for (const pattern of patternsOf(target.pattern, list, options)) paths[target.access].push({ rule, pattern })
    } else if (target.kind === 'domain') domains.push({ rule, pattern: target.pattern })
    else if (target.kind === 'mcp') mcp.push({ rule, pattern: target })
    else if (target.kind === 'name') names.push({ rule, pattern: target.pattern })
    else if (target.kind === 'parameter') parameters.push({ rule, name: target.name, pattern: target.pattern })
  }
  return {
    bare,
    commands: { all: commands, byName: groupBy<CommandRule, string | undefined>(commands, firstWord) },
    read: indexPathRules(paths.read, isFolded),
    write: indexPathRules(paths.write, isFolded),
    names: groupBy(names, ({ rule }) => rule.tool),
    ...{ domains, mcp, parameters },
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

export type CommandRule = { readonly rule: Rule; readonly pattern: CommandPattern }

/** Bash rules by the first word they require, if any. */
type CommandRules = {
  readonly all: readonly CommandRule[]
  readonly byName: ReadonlyMap<string | undefined, readonly CommandRule[]>
}

/** All rules that could match a link of the chain, including every rule that does. */
export function commandCandidates(rules: CommandRules, subject: CommandSubject): readonly CommandRule[] {
  const found = new Set(rules.byName.get(undefined))
  for (const { argv } of subject.chain) {
    const first = argv[0]
    if (first?.kind !== 'literal') return rules.all
    for (const spelling of new Set([first.value, first.written ?? first.value])) {
      for (const entry of rules.byName.get(programName(spelling)) ?? []) found.add(entry)
    }
  }
  return [...found]
}

function firstWord({ pattern }: CommandRule): string | undefined {
  if (pattern.kind === 'any') return undefined
  if (pattern.kind !== 'glob') return programName(pattern.words[0] ?? '')
  const [start = ''] = pattern.segments
  const end = start.indexOf(SEPARATOR)
  return end < 0 ? undefined : programName(start.slice(0, end))
}

export type PathRule = { readonly rule: Rule; readonly pattern: PathPattern }

/** Path rules by the folder they start in, then by the last name they require, if any. */
type PathRules = {
  readonly all: readonly PathRule[]
  readonly buckets: ReadonlyMap<string, ReadonlyMap<string | undefined, readonly PathRule[]>>
  /** Whether folders and names are compared without case: true for deny and ask. */
  readonly isFolded: boolean
}

function indexPathRules(all: readonly PathRule[], isFolded: boolean): PathRules {
  const keyOf = (text: string): string => (isFolded ? caseFold(text) : text)
  const nameOf = ({ pattern: { lastName } }: PathRule) => (lastName === undefined ? undefined : keyOf(lastName))
  const byBase = [...groupBy(all, ({ pattern }) => keyOf(pattern.base))]
  return { all, buckets: new Map(byBase.map(([base, rules]) => [base, groupBy(rules, nameOf)])), isFolded }
}

/** All rules that could match the path, including every rule that does. */
export function* pathCandidates({ buckets, isFolded }: PathRules, path: string): Generator<PathRule> {
  if (buckets.size === 0) return
  const text = isFolded ? caseFold(path) : path
  let names: ReadonlySet<string | undefined> | undefined
  for (const folder of foldersOf(text)) {
    const bucket = buckets.get(folder)
    if (!bucket) continue
    names ??= new Set([undefined, ...text.split('/')])
    for (const name of names) yield* bucket.get(name) ?? []
  }
}

/** `/`, `/a`, `/a/b` for `/a/b`. */
function* foldersOf(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    yield path.slice(0, slash) || '/'
  if (path !== '/') yield path
}
