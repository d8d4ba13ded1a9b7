import type { Word } from '../contracts/subject.ts'
import { awkProblem } from './awkProblem.ts'
import { findProgram } from './findProgram.ts'
import { isRunner } from './isRunner.ts'
import type { Program, Start } from './Program.ts'
import { sedProblem } from './sedProblem.ts'

/** Words that start another program or load code (`words`), or one that may be such an option when it runs (`unknown`). */
export type FoundStart = { readonly words?: readonly string[]; readonly unknown?: Word }

/** Programs with a language of their own that runs commands. */
const CHECKS: ReadonlyMap<string, (argv: readonly Word[]) => FoundStart | undefined> = new Map([
  ...['sed', 'gsed'].map((name) => [name, sedProblem] as const),
  ...['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map((name) => [name, awkProblem] as const),
])

/** The first of a program's words by which it runs another one or loads code; undefined for all that is not known to. */
export function findStart(name: string, argv: readonly Word[]): FoundStart | undefined {
  const check = CHECKS.get(name)
  if (check) return check(argv)
  const program = findProgram(name)
  return program && scan(program, argv)
}

function scan(program: Program, argv: readonly Word[]): FoundStart | undefined {
  const valued = new Set(program.valued?.split(' '))
  const ends = new Set(program.ends?.split(' '))
  const operands: string[] = []
  let isEnded = false
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index]
    if (word === undefined) break
    const rows = program.starts.filter((row) => isAt(row, operands))
    if (word.kind !== 'literal') {
      if (!isEnded && mayBeOption(word) && rows.some((row) => row.options ?? row.words)) return { unknown: word }
      operands.push('\0')
      continue
    }
    const { value } = word
    if (value === '--' && !isEnded) {
      isEnded = true
      continue
    }
    const isOption = !isEnded && /^-./.test(value)
    for (const row of rows) {
      if (row.words?.test(value)) return { words: [value] }
      const found = isOption ? findOption(row, value, argv[index + 1], valued) : undefined
      if (found) return found
    }
    if (isOption && ends.has(value)) return undefined
    if (isOption && valued.has(value)) index += 1
    else if (!isOption) {
      operands.push(value)
      if (program.starts.some((row) => row.any && isAt(row, operands))) return { words: [value] }
    }
  }
  return program.starts.some((row) => row.any && row.in === undefined) ? { words: [] } : undefined
}

function isAt(row: Start, operands: readonly string[]): boolean {
  if (row.in === undefined) return true
  if (row.in === '') return operands.length === 0
  return new RegExp(`^(?:${row.in})(?: |$)`).test(operands.join(' '))
}

/** Whether the word is one of the row's options, also shortened or in a bundle, with such a value. */
function findOption(
  row: Start,
  given: string,
  next: Word | undefined,
  valued: ReadonlySet<string>,
): FoundStart | undefined {
  for (const option of row.options?.split(' ') ?? []) {
    const joined = valueOf(option, given, valued)
    if (joined === undefined) continue
    const value = joined === '' ? next : ({ kind: 'literal', value: joined } as const)
    if (row.value && value?.kind === 'literal' && !row.value.test(value.value)) continue
    const isTaken = joined === '' && (row.value !== undefined || valued.has(option) || option === '-m')
    return isTaken && next?.kind === 'literal' ? { words: [given, next.value] } : { words: [given] }
  }
  return undefined
}

/** The value that is joined to the option, empty where there is none; undefined where it is another option. */
function valueOf(option: string, given: string, valued: ReadonlySet<string>): string | undefined {
  if (/^-[^-]$/.test(option)) return valueInBundle(option.charAt(1), given, valued)
  const [name = '', ...values] = given.split('=')
  const isLong = option.startsWith('--')
  if (option.endsWith('!')) return name === option.slice(0, -1) ? values.join('=') : undefined
  const isMet = isLong ? name.length > 2 && option.startsWith(name) : name === option || name === `-${option}`
  return isMet ? values.join('=') : undefined
}

function valueInBundle(letter: string, given: string, valued: ReadonlySet<string>): string | undefined {
  if (given.startsWith('--')) return undefined
  for (let index = 1; index < given.length; index += 1) {
    const each = given.charAt(index)
    if (each === letter) return given.slice(index + 1).replace(/^=/, '')
    if (valued.has(`-${each}`) || !/[A-Za-z0-9]/.test(each)) return undefined
  }
  return undefined
}

/** Whether a word that is known only when it runs may begin with a dash. */
export function mayBeOption(word: Word): boolean {
  if (word.kind === 'literal') return word.value.startsWith('-')
  const start = word.kind === 'glob' ? word.value : (word.prefix ?? '')
  return start === '' || /^[-+*?[]/.test(start)
}

/** Whether a rule of the program's name alone already means any code. */
export function isInterpreter(name: string): boolean {
  return findProgram(name)?.isInterpreter === true || isRunner(name, [])
}

/** Whether any use of the program may run another one. */
export function isExactOnly(name: string): boolean {
  return findProgram(name)?.starts.some((row) => row.any === true && row.in === undefined) === true
}
