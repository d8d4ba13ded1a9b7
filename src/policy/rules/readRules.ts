import type { Behavior } from '../../contracts/decision.ts'
import { cut } from '../../lib/text/words.ts'
import type { PolicySource } from '../load/readPolicyFiles.ts'
import { type Finding, RULE_LISTS, type Rule } from '../Policy.ts'
import { parseRule } from './parseRule.ts'
import type { RuleProblem } from './splitRule.ts'

type RulePlace = { readonly file: string; readonly line: number; readonly column: number }
type RuleOptions = {
  readonly tools: readonly string[]
  readonly isLenient: boolean
  readonly isCommented: () => boolean
}

/**
 * The rules of one file. One that can never match is an error, in an allow list a warning: it only fails to help.
 * Claude Code's own files may say `Write(x)` for `Edit(x)`, and their invalid allow rules are left out.
 */
export function readRules(source: PolicySource, tools: readonly string[]) {
  const rules: Rule[] = []
  const findings: Finding[] = []
  for (const list of RULE_LISTS) {
    const key = ['permissions', list]
    for (const [index, text] of entriesOf(source, list).entries()) {
      // The schema's findings have these, and a blank allow rule of settings is already left out.
      if (typeof text !== 'string' || text === '') continue
      if (text.trim() === '' && source.isSettings && list === 'allow') continue
      const place = { file: source.label, ...source.yaml.positionOf([...key, index]) }
      const isCommented = (): boolean => source.yaml.hasComment([...key, index])
      const read = readRule(text, list, place, { tools, isLenient: source.isSettings, isCommented })
      rules.push(read.rule)
      if (read.finding) findings.push(read.finding)
    }
  }
  return { rules, findings }
}

function entriesOf({ data }: PolicySource, list: Behavior): readonly unknown[] {
  const permissions = data['permissions']
  const entries: unknown = typeof permissions === 'object' && permissions !== null ? Reflect.get(permissions, list) : []
  return Array.isArray(entries) ? entries : []
}

export function readFlagRules(texts: readonly string[], list: Behavior, file: string, tools: readonly string[]) {
  const read = texts.map((text) =>
    readRule(text, list, { file, line: 0, column: 0 }, { tools, isLenient: false, isCommented: () => false }),
  )
  return { rules: read.map(({ rule }) => rule), findings: read.flatMap(({ finding }) => finding ?? []) }
}

function readRule(
  source: string,
  list: Behavior,
  place: RulePlace,
  options: RuleOptions,
): { readonly rule: Rule; readonly finding?: Finding } {
  const text = source.trim()
  const { tool, target, problem } = parseRule(text, list, options.tools)
  const { file, line, column } = place
  const rule: Rule = { text, list, file, line, tool, target, ...(column > 0 && { column }) }
  if (!problem) return { rule }
  if (options.isLenient && problem.kind === 'family' && problem.edit !== undefined) {
    const meant = parseRule(problem.edit, list, options.tools)
    const finding = findingOf(place, 'warning', text, {
      ...problem,
      message: `${problem.message}; it is read as the suggested rule`,
    })
    return { rule: { ...rule, tool: meant.tool, target: meant.target }, finding }
  }
  const isCut = problem.kind === 'syntax' && options.isCommented()
  const advice: Remark = isCut ? { message: '` #` starts a comment; put the rule in quotes' } : problem
  if (options.isLenient && list === 'allow') {
    const finding = findingOf(place, 'warning', text, { ...advice, message: `${advice.message}; it is left out` })
    return { rule, finding }
  }
  return { rule, finding: findingOf(place, levelOf(list, problem), text, advice) }
}

function levelOf(list: Behavior, { kind }: RuleProblem): Finding['level'] {
  if (kind === 'syntax' || kind === 'family') return 'error'
  if (kind === 'absent' || list === 'allow') return 'warning'
  return kind === 'unknown' && list === 'ask' ? 'warning' : 'error'
}

/** What is wrong with a rule, and what to write instead. */
export type Remark = Pick<RuleProblem, 'message' | 'edit'>

export function findingOf(place: RulePlace, level: Finding['level'], text: string, { message, edit }: Remark): Finding {
  const advice = edit === undefined ? '' : ` (did you mean ${edit}?)`
  const subject = text === '' ? '' : `${cut(text, 120)}: `
  return { ...place, level, message: `${subject}${message}${advice}`, ...(edit === undefined ? {} : { edit }) }
}
