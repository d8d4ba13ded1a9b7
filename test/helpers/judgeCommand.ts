import { sep } from 'node:path'
import { minimatch } from 'minimatch'
import type { PathForms, Subject } from '../../src/contracts/subject.ts'
import { isCommandCovered, isCommandDenied } from '../../src/policy/matchers/command.ts'
import { type CommandPattern, parseCommandPattern } from '../../src/policy/matchers/parseCommandPattern.ts'
import type { ShellAnalysis } from '../../src/shell/shellContext.ts'

/** Rules in their shortest form: command specifiers, and folders below which files may be written or read. */
export type TestRules = {
  readonly allow: readonly string[]
  readonly deny?: readonly string[]
  /** Relative to the project; `.` is all of it. */
  readonly edit?: readonly string[]
  /** Names that must not be read or written, at any depth. */
  readonly secret?: readonly string[]
}

export type Verdict = 'allow' | 'deny' | 'ask'

/** The verdict of these rules, spelled out without the policy's own evaluator. */
export function judgeCommand(analysis: ShellAnalysis, rules: TestRules, root: string): Verdict {
  const deny = (rules.deny ?? []).map(pattern)
  const allow = rules.allow.map(pattern)
  if (analysis.subjects.some((subject) => isDenied(subject, deny, rules))) return 'deny'
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
  const { glob, links = [] } = subject
  const parts = glob === undefined ? [] : [glob, ...links].flatMap((each) => each.split(sep))
  const matches = glob?.includes('**') ? undefined : subject.matches?.()
  const isMeant = secret.some((name) => parts.some((part) => part.includes('**') || minimatch(name, part)))
  if (isMeant && matches === undefined) return true
  if (secret.some((name) => matches?.some((path) => path.split(sep).includes(name)))) return true
  const found = secret.length === 0 || !subject.found ? [] : subject.found.files()
  if (found === undefined) return true
  const paths = [...formsOf(subject.path), ...found, ...(secret.length === 0 ? [] : (subject.below?.() ?? []))]
  return secret.some((name) => paths.some((path) => path.split(sep).includes(name)))
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
