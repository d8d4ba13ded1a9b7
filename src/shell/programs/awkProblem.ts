import type { Word } from '../../contracts/subject.ts'
import type { FoundStart } from './findStart.ts'
import { readAwk } from './readAwk.ts'

/** The words of an awk call that may run a command: `system()`, a pipe, a program file. Sources: GTFOBins, gawk(1). */
export function awkProblem(argv: readonly Word[]): FoundStart | undefined {
  let index = 1
  for (; index < argv.length; index += 1) {
    const word = argv[index]
    if (word?.kind !== 'literal') return word && { unknown: word }
    const { value } = word
    if (value === '--') {
      index += 1
      break
    }
    if (value === '-F' || value === '-v') index += 1
    else if (/^(?:-[feEilD]|--(?:f|so|e|i|l|de))/.test(value) && !/^--field|^--lint/.test(value))
      return { words: [value] }
    else if (!/^-./.test(value)) break
  }
  const program = argv[index]
  if (program === undefined) return undefined
  if (program.kind !== 'literal') return { unknown: program }
  return RUNS.test(withoutLiterals(program.value)) ? { words: [program.value] } : undefined
}

const RUNS = /system|[|@]|SYMTAB/

/** The program without strings and regular expressions; unchanged if awk versions may parse it differently. */
function withoutLiterals(program: string): string {
  const tokens = readAwk(program)
  if (tokens === undefined) return program
  return tokens
    .map(({ kind, text }) => (text === '||' || kind === 'string' || kind === 'regex' ? ' "" ' : ` ${text}`))
    .join('')
}
