import type { TestRules } from '../../helpers/policy/judgeCommand.ts'

/** A line that runs `touch pwned` or the like past the rules. */
export type Attack = TestRules & {
  readonly text: string
  /** It works where it leaves no file `pwned` but this text in its output, or in a file `pwned`. */
  readonly shows?: string
  /** Files the project has; `bin/…` ones are executable and on PATH. */
  readonly files?: Readonly<Record<string, string>>
  /** Why it cannot be shown in bash here: a program that is not installed, a terminal, another version. */
  readonly unshown?: string
}

/** A line of an agent's working day. */
export type Everyday = TestRules & {
  readonly text: string
  readonly files?: Readonly<Record<string, string>>
  /** Its output is not the same twice. */
  readonly isVolatile?: boolean
}

/** Rows that share their rules. */
export function attacks(rules: TestRules, ...texts: readonly (string | Omit<Attack, 'allow'>)[]): Attack[] {
  return texts.map((each) => (typeof each === 'string' ? { ...rules, text: each } : { ...rules, ...each }))
}

export function everyday(rules: TestRules, ...texts: readonly (string | Omit<Everyday, 'allow'>)[]): Everyday[] {
  return texts.map((each) => (typeof each === 'string' ? { ...rules, text: each } : { ...rules, ...each }))
}
