import type { Subject } from '../../contracts/subject.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'
import type { Rule } from '../Policy.ts'
import { commandCandidates, type PathRule, pathCandidates, type RuleSet } from '../rules/indexRules.ts'
import { isCommandCovered, isCommandDenied, isLinkCovered } from './command.ts'
import { isHostCovered, isHostDenied, judgeUrl } from './domain.ts'
import { isMcpCovered, isMcpDenied, isNameDenied } from './name.ts'
import { formsOf, isPathCovered, isPathDenied } from './path.ts'

/** How rules match one kind of subject. `evaluate` handles rules without a specifier. */
type Matcher<S> = {
  /** The first rule of a deny or ask list that matches the subject in at least one of its forms. */
  findAgainst(rules: RuleSet, subject: S): Rule | undefined
  /** A rule of an allow list, if its rules cover the whole subject. */
  findCovering(rules: RuleSet, subject: S): Rule | undefined
}

type Entries<Pattern> = readonly { readonly rule: Rule; readonly pattern: Pattern }[]

/** A matcher that compares one value of the subject, if it has one, with rule by rule. */
function oneByOne<S, Pattern, Value>(
  entriesOf: (rules: RuleSet, subject: S) => Entries<Pattern> | undefined,
  subjectValue: (subject: S) => Value | undefined,
  isDenied: (pattern: Pattern, value: Value) => boolean,
  isCovered: (pattern: Pattern, value: Value) => boolean,
): Matcher<S> {
  const findBy = (isMatch: typeof isDenied) => (rules: RuleSet, subject: S) => {
    const value = subjectValue(subject)
    if (value === undefined) return undefined
    return entriesOf(rules, subject)?.find(({ pattern }) => isMatch(pattern, value))?.rule
  }
  return { findAgainst: findBy(isDenied), findCovering: findBy(isCovered) }
}

type SubjectOf<Kind extends Subject['kind']> = Extract<Subject, { kind: Kind }>

const MATCHERS: { readonly [Kind in Subject['kind']]: Matcher<SubjectOf<Kind>> } = {
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
      const covering = formsOf(subject.path).map((form) => findPathRules(rules, subject.access, form).next().value)
      return covering.every((entry) => entry !== undefined) ? covering[0]?.rule : undefined
    },
  },
  domain: oneByOne(
    ({ domains }) => domains,
    ({ url }) => {
      const judged = judgeUrl(url)
      return 'problem' in judged ? undefined : judged.host
    },
    isHostDenied,
    isHostCovered,
  ),
  mcp: oneByOne(
    ({ mcp }) => mcp,
    (subject) => subject,
    isMcpDenied,
    isMcpCovered,
  ),
  name: oneByOne(
    ({ names }, { tool }) => names.get(tool),
    ({ specifier }) => specifier,
    isNameDenied,
    matchesGlob,
  ),
  opaque: { findAgainst: () => undefined, findCovering: () => undefined },
}

export function matcherOf<Kind extends Subject['kind']>(kind: Kind): Matcher<SubjectOf<Kind>> {
  return MATCHERS[kind]
}

/** A Read deny also forbids writing: an edit shows the old content and keeps it. */
function* pathRulesAgainst(rules: RuleSet, access: 'read' | 'write', form: string): Generator<PathRule> {
  yield* pathCandidates(rules.read, form)
  if (access === 'write') yield* pathCandidates(rules.write, form)
}

/** The allow rules that cover one form of a path; an Edit rule also allows reading. */
export function* findPathRules(rules: RuleSet, access: 'read' | 'write', form: string): Generator<PathRule, undefined> {
  const sets = access === 'read' ? [rules.read, rules.write] : [rules.write]
  for (const set of sets) {
    for (const entry of pathCandidates(set, form)) if (isPathCovered(entry.pattern, form, access)) yield entry
  }
}
