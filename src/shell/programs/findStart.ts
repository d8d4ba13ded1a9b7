import type { Word } from '../../contracts/subject.ts'
import { awkProblem } from './awkProblem.ts'
import { builders } from './builders.ts'
import { git } from './git.ts'
import { interpreters } from './interpreters.ts'
import { isRunner } from './isRunner.ts'
import { network } from './network.ts'
import type { Program, Start } from './Program.ts'
import { sedProblem } from './sedProblem.ts'
import { tools } from './tools.ts'
import { SHELLS, SOURCES } from './wrappers.ts'

/** Words that start another program or load code (`words`), or a word that may do so at run time (`unknown`). */
export type FoundStart = { readonly words?: readonly string[]; readonly unknown?: Word }

/** Programs whose own language can run commands. */
const CHECKS: ReadonlyMap<string, (argv: readonly Word[]) => FoundStart | undefined> = new Map([
  ...['sed', 'gsed'].map((name) => [name, sedProblem] as const),
  ...['awk', 'gawk', 'mawk', 'nawk', 'original-awk'].map((name) => [name, awkProblem] as const),
])

/** The first of a program's words that makes it run another program or load code; undefined without such a word. */
export function findStart(name: string, argv: readonly Word[]): FoundStart | undefined {
  const check = CHECKS.get(name)
  if (check) return check(argv)
  const program = knownProgram(name)
  return program && scan(program, argv)
}

/** An operand, or the value of an option that is not listed as one with a value. */
type Operand = { readonly text: string; readonly mayBeValue: boolean }

const NONE: ReadonlySet<string> = new Set()

function scan(program: Program, argv: readonly Word[]): FoundStart | undefined {
  const listed = new Set(program.valued?.split(' '))
  const ends = new Set(program.ends?.split(' '))
  const operands: Operand[] = []
  const found: string[] = []
  let [isEnded, isMet, mayBeValue] = [false, false, false]
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index]
    if (word === undefined) break
    const valued = program.hasGlobalsOnly && operands.some((operand) => !operand.mayBeValue) ? NONE : listed
    const rows = program.starts.filter((row) => isAt(row, operands))
    if (word.kind !== 'literal') {
      if (!isEnded && mayBeOption(word) && rows.some((row) => row.options ?? row.words)) return { unknown: word }
      operands.push({ text: '\0', mayBeValue })
      mayBeValue = false
      continue
    }
    const { value } = word
    if (value === '--' && !isEnded) {
      isEnded = true
      continue
    }
    const isOption = !isEnded && /^-./.test(value)
    for (const row of rows) {
      const words = row.words?.test(value)
        ? [value]
        : isOption
          ? findOption(row, value, argv[index + 1], program, valued)
          : []
      isMet ||= words.length > 0
      found.push(...words)
    }
    if (isOption && ends.has(value)) break
    if (isOption && valued.has(value)) index += 1
    else if (!isOption) {
      operands.push({ text: value, mayBeValue })
      if (!isMet && program.starts.some((row) => row.any && row.in !== undefined && isAt(row, operands)))
        isMet = found.push(value) > 0
    }
    mayBeValue = isOption && !valued.has(value) && !value.includes('=')
  }
  if (isMet) return { words: [...new Set(found)] }
  return program.starts.some((row) => row.any && row.in === undefined) || takesInput(program, argv, operands)
    ? { words: [] }
    : undefined
}

/** Whether the program reads commands from its input. */
function takesInput(
  { needs, leastOperands = 0 }: Program,
  argv: readonly Word[],
  operands: readonly Operand[],
): boolean {
  const isGiven = needs
    ?.split(' ')
    .some((option) => argv.some((word) => word.kind === 'literal' && word.value.startsWith(option)))
  return isGiven === false || operands.length < leastOperands
}

function isAt(row: Start, operands: readonly Operand[]): boolean {
  if (row.in === undefined) return true
  if (row.in === '' || row.in === '*') return operands.length <= row.in.length
  return row.in.split('|').some((phrase) => startWith(operands, phrase.split(' ')))
}

/** Whether the operands start with these words. What may be the value of an option may also stand between them. */
function startWith([first, ...rest]: readonly Operand[], [word, ...more]: readonly string[]): boolean {
  if (word === undefined) return true
  if (first === undefined) return false
  return (first.text === word && startWith(rest, more)) || (first.mayBeValue && startWith(rest, [word, ...more]))
}

/** The words of the option, if the row lists it with such a value; also abbreviated or in a bundle. */
function findOption(
  row: Start,
  given: string,
  next: Word | undefined,
  program: Program,
  valued: ReadonlySet<string>,
): readonly string[] {
  for (const option of row.options?.split(' ') ?? []) {
    const joined = valueAfter(option, given, program, valued)
    if (joined === undefined) continue
    const value = joined === '' ? next : ({ kind: 'literal', value: joined } as const)
    if (row.value && value?.kind === 'literal' && !row.value.test(value.value)) continue
    const isNext = joined === '' && !given.includes('=') && next?.kind === 'literal'
    const isTaken = isNext && (row.value !== undefined || !next.value.startsWith('-'))
    return isTaken ? [given, next.value] : [given]
  }
  return []
}

/** The value attached to the option, empty if there is none; undefined if it is another option. */
function valueAfter(
  option: string,
  given: string,
  { isExact, whole }: Program,
  valued: ReadonlySet<string>,
): string | undefined {
  if (/^-[^-]$/.test(option))
    return whole?.split(' ').includes(given) ? undefined : valueInBundle(option.charAt(1), given, valued)
  const [name = '', ...values] = given.split('=')
  const full = option.replace(/!$/, '')
  const isFull = name.replace(/^-+/, '') === full.replace(/^-+/, '')
  const isCut = option.startsWith('--') && !option.endsWith('!') && !isExact && name.length > 2 && full.startsWith(name)
  return isFull || isCut ? values.join('=') : undefined
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

/** Whether a word that is unknown until run time may begin with a dash. */
function mayBeOption(word: Word): boolean {
  if (word.kind === 'literal') return word.value.startsWith('-')
  const start = word.kind === 'glob' ? word.value : (word.prefix ?? '')
  return start === '' || /^[-+*?[]/.test(start)
}

/** Whether a rule of the program's bare name already allows any code. */
export function isInterpreter(name: string): boolean {
  return knownProgram(name)?.isInterpreter === true || isRunner(name, [])
}

/** Whether the program is a shell or an interpreter, which runs the script or the text that it is given. */
export function takesScript(name: string): boolean {
  const program = knownProgram(name)
  return (
    SHELLS.has(name) ||
    SOURCES.has(name) ||
    /^(?:a|c|tc|fi|k|mk|pw|z)sh$/.test(name) ||
    (program?.isInterpreter === true && interpreters.includes(program))
  )
}

/** Whether any use of the program may run another one. */
export function isExactOnly(name: string): boolean {
  return knownProgram(name)?.starts.some((row) => row.any === true && row.in === undefined) === true
}

/** Whether all words after `--` are files, so that `--` can precede a word that is unknown until run time. */
export function acceptsDoubleDash(name: string): boolean {
  return /^g?sed$/.test(name) || knownProgram(name)?.acceptsDoubleDash === true
}

const programs = new Map<string, Program>(
  [git, tools, network, interpreters, builders]
    .flat()
    .flatMap((program) => program.names.split(' ').map((name): [string, Program] => [name.toLowerCase(), program])),
)

/** What is known about a program, by its name in lower case without a folder; `python3.12` is `python3`. */
function knownProgram(name: string): Program | undefined {
  return (
    programs.get(name) ??
    programs.get(name.replace(/^(python3|pip3|ruby|lua|php|perl|node|gcc|g\+\+|clang|clang\+\+)[-.\d]+$/, '$1'))
  )
}
