import { sep } from 'node:path'
import type { PathForms, Subject } from '../../../src/contracts/subject.ts'
import { isCommandCovered, isCommandDenied } from '../../../src/policy/matchers/command.ts'
import { type CommandPattern, parseCommandPattern } from '../../../src/policy/matchers/parseCommandPattern.ts'
import type { ShellAnalysis } from '../../../src/shell/walk/Walk.ts'

/** Rules in their shortest form: command specifiers, and folders below which files may be written or read. */
export type TestRules = {
  readonly allow: readonly string[]
  readonly deny?: readonly string[]
  /** A bare `Bash` beside the denies. */
  readonly bare?: boolean
  /** Relative to the project; `.` is all of it. */
  readonly edit?: readonly string[]
  /** Names that must not be read or written, at any depth. */
  readonly secret?: readonly string[]
}

/** Under a bare `Bash` only what no word shows may be what a deny means. */
function isBareAllowed({ subjects }: ShellAnalysis, deny: readonly CommandPattern[]): boolean {
  const isUnseen = (subject: Subject): boolean =>
    (subject.kind === 'opaque' && subject.isUnseen === true) ||
    (subject.kind === 'command' && subject.chain.some((link) => link.isUnseen))
  return deny.length === 0 || !subjects.some(isUnseen)
}

export type Verdict = 'allow' | 'deny' | 'ask'

/** The verdict of these rules, spelled out without the policy's own evaluator. */
export function judgeCommand(analysis: ShellAnalysis, rules: TestRules, root: string): Verdict {
  const deny = (rules.deny ?? []).map(pattern)
  const allow = rules.allow.map(pattern)
  if (analysis.subjects.some((subject) => isDenied(subject, deny, rules))) return 'deny'
  if (rules.bare) return isBareAllowed(analysis, deny) ? 'allow' : 'deny'
  return analysis.subjects.every((subject) => isCovered(subject, allow, rules, root)) ? 'allow' : 'ask'
}

export function pattern(specifier: string): CommandPattern {
  const parsed = parseCommandPattern(specifier)
  if ('error' in parsed) throw new Error(`${specifier}: ${parsed.error}`)
  return parsed
}

function isDenied(subject: Subject, deny: readonly CommandPattern[], { secret = [] }: TestRules): boolean {
  if (subject.kind === 'command') return deny.some((each) => isCommandDenied(each, subject))
  if (subject.kind !== 'path') return false
  return secret.some((name) => formsOf(subject.path).some((path) => path.split(sep).includes(name)))
}

function isCovered(subject: Subject, allow: readonly CommandPattern[], rules: TestRules, root: string): boolean {
  if (subject.kind === 'command') return isCommandCovered(allow, subject)
  if (subject.kind !== 'path') return false
  if (subject.source === 'operand') return true
  const folders = (rules.edit ?? []).map((folder) => (folder === '.' ? root : `${root}/${folder}`))
  return formsOf(subject.path).every((form) => folders.some((folder) => `${form}/`.startsWith(`${folder}/`)))
}

function formsOf({ lexical, resolved, physical }: PathForms): string[] {
  return [lexical, resolved, physical]
}
