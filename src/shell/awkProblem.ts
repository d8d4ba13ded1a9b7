import type { Word } from '../contracts/subject.ts'

/** Why an awk call is not covered: anything but `-F`, `-v` and a literal program that neither runs nor writes. */
export function awkProblem(argv: readonly Word[]): string | undefined {
  const values = argv.slice(1).map((word) => (word.kind === 'literal' ? word.value : undefined))
  let index = 0
  for (; index < values.length; index += 1) {
    const value = values[index]
    if (value === '-F' || value === '-v') index += 1
    else if (value === undefined || !/^(?:-F|-v[A-Za-z_])./.test(value)) break
  }
  const program = values[index]
  if (program === undefined) return 'awk without a literal program'
  const option = values.slice(index).find((value) => value !== undefined && /^-./.test(value))
  if (option !== undefined) return `awk ${option} is not judged`
  const code = withoutLiterals(program).replace(/\|\||>=/g, ' ')
  const found = /system|getline|ARG[VC]|SYMTAB|[|>@]/.exec(withoutComparisons(code))
  return found ? `awk: \`${found[0]}\` in the program can run, write or read more than it names` : undefined
}

/**
 * The program with empty strings and regular expressions. Left as it is where a slash may divide, or where a bracket or a
 * comment may hide where a literal ends.
 */
function withoutLiterals(program: string): string {
  const token = /"(?:[^"\\\n]|\\[^\n])*"|\/(?:[^/\\\n[]|\\[^\n])*\/|[\s\S]/y
  let [code, before] = ['', '']
  for (let found = token.exec(program); found !== null; found = token.exec(program)) {
    const [text] = found
    const isRegex = text.length > 1 && text.startsWith('/')
    if (text === '"' || text === '/' || text === '#') return program
    if (isRegex && !/^[{};(,!~&|\n]?$/.test(before)) return program
    code += text.length > 1 ? '""' : text
    if (!/[ \t]/.test(text)) before = text.at(-1) ?? ''
  }
  return code
}

/**
 * A `>` compares outside of `{…}` and inside of `(…)`, but for the statements in `for (…)`; only told apart where nothing
 * but plain strings could hide a bracket.
 */
function withoutComparisons(program: string): string {
  const text = program.replace(/"[^"\\\n]*"/g, '""')
  if (/["/\\#]|\bfor\b/.test(text.replaceAll('""', ''))) return program
  let [braces, parentheses, rest] = [0, 0, '']
  for (const character of text) {
    if (character === '{') braces += 1
    if (character === '}') braces -= 1
    if (character === '(') parentheses += 1
    if (character === ')') parentheses -= 1
    if (braces < 0 || parentheses < 0) return program
    const isComparison = character === '>' && (braces === 0 || parentheses > 0)
    rest += isComparison ? ' ' : character
  }
  return braces === 0 && parentheses === 0 ? rest : program
}
