/** Variables that change how a command talks, never what it runs. */
const HARMLESS = 'NODE_ENV CI NO_COLOR FORCE_COLOR LANG LC_ALL TZ COLUMNS RUST_BACKTRACE'.split(' ')

/** Why an assignment before a command is not covered; undefined for the harmless names with a literal value. */
export function assignmentProblem(name: string, isLiteral: boolean): string | undefined {
  if (HARMLESS.includes(name) && isLiteral) return undefined
  return `an assignment to ${name} before a command may change what runs`
}
