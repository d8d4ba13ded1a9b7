import { programName } from '../../lib/text/programName.ts'
import type { CommandSubject } from '../matchers/command.ts'
import { type CommandPattern, SEPARATOR } from '../matchers/parseCommandPattern.ts'
import type { Rule } from '../Policy.ts'

export type CommandRule = { readonly rule: Rule; readonly pattern: CommandPattern }

/** Bash rules by the first word they require. */
export type CommandRules = {
  readonly all: readonly CommandRule[]
  readonly byName: ReadonlyMap<string, readonly CommandRule[]>
  /** Rules that do not fix the first word. */
  readonly others: readonly CommandRule[]
}

/** Indexes the rules so that `candidates` is short. */
export function indexCommandRules(all: readonly CommandRule[]): CommandRules {
  const byName = new Map<string, CommandRule[]>()
  const others: CommandRule[] = []
  for (const entry of all) {
    const name = firstWord(entry.pattern)
    const list = name === undefined ? others : (byName.get(name) ?? [])
    list.push(entry)
    if (name !== undefined) byName.set(name, list)
  }
  return { all, byName, others }
}

/** All rules that could match a link of the chain, including every rule that does. */
export function candidates(rules: CommandRules, subject: CommandSubject): readonly CommandRule[] {
  const found = new Set(rules.others)
  for (const { argv } of subject.chain) {
    const first = argv[0]
    if (first?.kind !== 'literal') return rules.all
    for (const spelling of new Set([first.value, first.written ?? first.value])) {
      for (const entry of rules.byName.get(programName(spelling)) ?? []) found.add(entry)
    }
  }
  return [...found]
}

function firstWord(pattern: CommandPattern): string | undefined {
  if (pattern.kind === 'any') return undefined
  if (pattern.kind !== 'glob') return programName(pattern.words[0] ?? '')
  const [start = ''] = pattern.segments
  const end = start.indexOf(SEPARATOR)
  return end < 0 ? undefined : programName(start.slice(0, end))
}
