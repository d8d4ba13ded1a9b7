import type { Word } from '../contracts/subject.ts'

/** Options by which an interpreter only checks a script, and what may stand beside them. */
const CHECKING: ReadonlyMap<string, { readonly check: RegExp; readonly harmless: RegExp }> = new Map([
  // perl runs the BEGIN blocks of what it checks.
  ['perl', { check: /^-\w*c/, harmless: /^$/ }],
  ['ruby', { check: /^-\w*c/, harmless: /^-(?:[cwW]+\d?)$/ }],
  ['php', { check: /^-\w*l|^--syntax-check$/, harmless: /^-(?:[ln]+|-syntax-check)$/ }],
  ['lua', { check: /^-v/, harmless: /^-v$/ }],
])

/** Why a rule such as `ruby -c *` does not cover a call: beside the check, code is loaded or run. */
export function syntaxProblem(name: string, argv: readonly Word[]): string | undefined {
  const known = CHECKING.get(name)
  const options = argv
    .slice(1)
    .flatMap((word) => (word.kind === 'literal' && /^-./.test(word.value) ? [word.value] : []))
  if (!known || !options.some((option) => known.check.test(option))) return undefined
  const other = options.find((option) => !known.harmless.test(option))
  return other && `${name} ${other} can run code although it seems to check only`
}
