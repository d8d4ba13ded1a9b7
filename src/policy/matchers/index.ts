import type { Subject } from '../../contracts/subject.ts'
import type { Rule } from '../Policy.ts'
import { commandCandidates, type PathRule, pathCandidates, type RuleSet } from '../rules/indexRules.ts'
import { isCommandCovered, isCommandDenied, isLinkCovered } from './command.ts'
import { isHostCovered, isHostDenied, judgeUrl } from './domain.ts'
import { isMcpCovered, isMcpDenied, isNameCovered, isNameDenied } from './name.ts'
import { formsOf, isPathCovered, isPathDenied } from './path.ts'

/** How rules match one kind of subject. `evaluate` handles rules without a specifier. */
export type Matcher<S = Subject> = {
  /** The first rule of a deny or ask list that matches the subject in at least one of its forms. */
  findAgainst(rules: RuleSet, subject: S): Rule | undefined
  /** A rule of an allow list, if its rules cover the whole subject. */
  findCovering(rules: RuleSet, subject: S): Rule | undefined
}

type SubjectOf<Kind extends Subject['kind']> = Extract<Subject, { kind: Kind }>

const MATCHERS = {
  command: {
    findAgainst: (rules, subject) =>
      commandCandidates(rules.commands, subject).find(({ pattern }) => isCommandDenied(pattern, subject))?.rule,
    findCovering: (rules, subject) => {
      const found = commandCandidates(rules.commands, subject)
      const patterns = found.map(({ pattern }) => pattern)
      if (!isCommandCovered(patterns, subject)) return undefined
      const links = subject.chain.toReversed()
      return found.find(({ pattern }) => links.some((link) => isLinkCovered(pattern, link)))?.rule ?? found[0]?.rule
    },
  },
  path: {
    findAgainst: (rules, subject) => {
      for (const form of formsOf(subject.path)) {
        for (const entry of pathRulesAgainst(rules, subject.access, form)) {
          if (isPathDenied(entry.pattern, form)) return entry.rule
        }
      }
      return undefined
    },
    findCovering: (rules, subject) => {
      const covering = formsOf(subject.path).map((form) => findPathRule(rules, subject.access, form))
      return covering.every((entry) => entry !== undefined) ? covering[0]?.rule : undefined
    },
  },
  domain: {
    findAgainst: (rules, subject) => {
      const judged = judgeUrl(subject.url)
      if ('problem' in judged) return undefined
      return rules.domains.find(({ pattern }) => isHostDenied(pattern, judged.host))?.rule
    },
    findCovering: (rules, subject) => {
      const judged = judgeUrl(subject.url)
      if ('problem' in judged) return undefined
      return rules.domains.find(({ pattern }) => isHostCovered(pattern, judged.host))?.rule
    },
  },
  mcp: {
    findAgainst: (rules, subject) => rules.mcp.find(({ pattern }) => isMcpDenied(pattern, subject))?.rule,
    findCovering: (rules, subject) => rules.mcp.find(({ pattern }) => isMcpCovered(pattern, subject))?.rule,
  },
  name: {
    findAgainst: (rules, { tool, specifier }) =>
      specifier === undefined
        ? undefined
        : rules.names.get(tool)?.find(({ pattern }) => isNameDenied(pattern, specifier))?.rule,
    findCovering: (rules, { tool, specifier }) =>
      specifier === undefined
        ? undefined
        : rules.names.get(tool)?.find(({ pattern }) => isNameCovered(pattern, specifier))?.rule,
  },
  opaque: {
    findAgainst: () => undefined,
    findCovering: () => undefined,
  },
} satisfies { [Kind in Subject['kind']]: Matcher<SubjectOf<Kind>> }

export function matcherOf<Kind extends Subject['kind']>(kind: Kind): Matcher<SubjectOf<Kind>> {
  const table: { [K in Subject['kind']]: Matcher<SubjectOf<K>> } = MATCHERS
  return table[kind]
}

/** A Read deny also forbids writing: an edit shows the old content and keeps it. */
function* pathRulesAgainst(rules: RuleSet, access: 'read' | 'write', form: string): Generator<PathRule> {
  yield* pathCandidates(rules.read, form)
  if (access === 'write') yield* pathCandidates(rules.write, form)
}

/** The allow rules that cover one form of a path; an Edit rule also allows reading. */
export function* findPathRules(rules: RuleSet, access: 'read' | 'write', form: string): Generator<PathRule> {
  const sets = access === 'read' ? [rules.read, rules.write] : [rules.write]
  for (const set of sets) {
    for (const entry of pathCandidates(set, form)) if (isPathCovered(entry.pattern, form, access)) yield entry
  }
}

function findPathRule(rules: RuleSet, access: 'read' | 'write', form: string): PathRule | undefined {
  for (const entry of findPathRules(rules, access, form)) return entry
  return undefined
}
