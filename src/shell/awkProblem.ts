import type { Word } from '../contracts/subject.ts'
import { type AwkToken, readAwk } from './readAwk.ts'

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
  if (argv.slice(index + 2).some(mayConnect)) return 'awk: gawk takes a file `/inet/…` for a network connection'
  const found = FORBIDDEN.exec(withoutHarmless(program))
  return found ? `awk: \`${found[0]}\` in the program can run, write or read more than it names` : undefined
}

function mayConnect(word: Word): boolean {
  if (word.kind === 'literal') return word.value.startsWith('/inet')
  const spelt = word.found?.isSpelt ? word.found.starts : []
  const patterns = word.kind === 'glob' ? [word.value] : (word.patterns ?? [`${word.prefix ?? ''}*`])
  return [...spelt, ...patterns].some((text) => /^(?:\/inet|\/(?:i(?:n(?:e)?)?)?[*?[])/.test(text))
}

const FORBIDDEN = /system|getline|ARG[VC]|SYMTAB|::|[|>@]/

/**
 * The program without literals and comparisons; as it is where awks may read it differently. A `>` writes behind `print` and
 * `printf`, outside of parentheses, and compares everywhere else.
 */
function withoutHarmless(program: string): string {
  const tokens = readAwk(program)
  if (tokens === undefined) return program
  let [isPrinting, depth, code] = [false, 0, '']
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'name' && /^printf?$/.test(text)) {
      if (depth > 0) return program
      isPrinting = true
    } else if (isPrinting && depth === 0 && /^[;}\n]$/.test(text)) {
      if (text === '\n' && !endsValue(tokens[index - 1])) return program
      isPrinting = false
    }
    if (text === '(') depth += 1
    if (text === ')') depth -= 1
    const isHarmless = text === '||' || text === '>=' || kind === 'string' || kind === 'regex'
    const isComparison = text === '>' && (!isPrinting || depth > 0)
    const isToTerminal = text === '>' && /^"\/dev\/std(?:out|err)"$/.test(tokens[index + 1]?.text ?? '')
    const isWhole = /^(?:[;}\n]|)$/.test(tokens[index + 2]?.text ?? '')
    code += isHarmless || isComparison || (isToTerminal && isWhole) ? ' ""' : `${kind === 'name' ? ' ' : ''}${text}`
  }
  return code
}

/** Whether a statement may end behind the word. */
function endsValue(token: AwkToken | undefined): boolean {
  return (
    token !== undefined && (token.kind !== 'operator' ? token.text !== 'in' : /^(?:[)\]]|\+\+|--)$/.test(token.text))
  )
}
