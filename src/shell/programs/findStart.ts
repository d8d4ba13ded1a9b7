import type { Word } from '../../contracts/subject.ts'
import { awkProblem } from './awkProblem.ts'
import { builders } from './builders.ts'
import { git } from './git.ts'
import { interpreters } from './interpreters.ts'
import { isRunner } from './isRunner.ts'
import { startOf } from './literalWord.ts'
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

/**
 * An operand, or the value of an option that is not listed as one with a value. Of a word that is unknown until run time, only
 * the start is known: it `isOpen`.
 */
type Operand = { readonly text: string; readonly mayBeValue: boolean; readonly isOpen?: true }

const NONE: ReadonlySet<string> = new Set()

function scan(program: Program, argv: readonly Word[]): FoundStart | undefined {
  const listed = new Set(program.valued?.split(' '))
  const ends = new Set(program.ends?.split(' '))
  const operands: Operand[] = []
  const found: string[] = []
  const paired = new Set(program.paired?.split(' '))
  const flags = new Set(program.flags?.split(' '))
  let [isEnded, isFed, mayBeValue] = [false, program.needs !== undefined, false]
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index]
    if (word === undefined) break
    const valued = program.hasGlobalsOnly && operands.some((operand) => !operand.mayBeValue) ? NONE : listed
    const rows = program.starts.filter((row) => isAt(row, operands))
    if (word.kind !== 'literal') {
      const text = startOf(word)
      if (!isEnded && mayBeOption(word) && rows.some((row) => row.options ?? row.words)) return { unknown: word }
      if (text !== '' && rows.some((row) => row.words && mayBecome(row.words, text))) return { unknown: word }
      operands.push({ text, mayBeValue, isOpen: true })
      if (startsSubcommand(program, operands)) return { unknown: word }
      mayBeValue = false
      continue
    }
    const { value } = word
    if (value === '--' && !isEnded) {
      const passed = program.passes && findStart(program.passes, [word, ...argv.slice(index + 1)])
      if (passed) return { ...passed, ...(passed.words ? { words: [...new Set([...found, ...passed.words])] } : {}) }
      // After an option that may take a value it may be that value: `tar -g -- --to-command=x`.
      isEnded = !mayBeValue
      mayBeValue = false
      continue
    }
    const isOption = !isEnded && /^-./.test(value)
    if (isOption && program.needs?.test(value)) isFed = false
    for (const row of rows) {
      const words = isOption ? findOption(row, value, argv[index + 1], program, valued) : []
      found.push(...(row.words?.test(value) ? [value] : words))
    }
    if (isOption && ends.has(value)) break
    const next = isOption ? nextOf(value, flags, valued) : 'none'
    if (isOption && paired.has(value)) index += 2
    else if (next === 'value') index += 1
    else if (!isOption) {
      operands.push({ text: value, mayBeValue })
      if (found.length === 0 && startsSubcommand(program, operands)) found.push(value)
    }
    mayBeValue = next === 'unknown'
  }
  if (found.length > 0) return { words: [...new Set(found)] }
  const isAlways = startsAlways(program) || isFed || operands.length < (program.leastOperands ?? 0)
  return isAlways ? { words: [] } : undefined
}

function startsAlways({ starts }: Program): boolean {
  return starts.some((row) => row.any && row.in === undefined)
}

/** Whether the next word is the value of the option, also of the last one in a bundle: `-xzf FILE`. */
function nextOf(given: string, flags: ReadonlySet<string>, valued: ReadonlySet<string>): 'value' | 'none' | 'unknown' {
  if (valued.has(given)) return 'value'
  if (flags.has(given) || given.includes('=')) return 'none'
  const letters = given.startsWith('--') ? [] : [...given.slice(1)].map((letter) => `-${letter}`)
  const at = letters.findIndex((letter) => !flags.has(letter))
  if (at < 0) return letters.length === 0 ? 'unknown' : 'none'
  if (!valued.has(letters[at] ?? '')) return 'unknown'
  return at === letters.length - 1 ? 'value' : 'none'
}

/** Whether the subcommand itself runs another program. */
function startsSubcommand({ starts }: Program, operands: readonly Operand[]): boolean {
  return starts.some((row) => row.any && row.in !== undefined && isAt(row, operands))
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
  const isWord = first.isOpen ? word.startsWith(first.text) : word === first.text
  return (isWord && startWith(rest, more)) || (first.mayBeValue && startWith(rest, [word, ...more]))
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
    // Without a value it names nothing: `rollup -c`.
    if (row.value && (value === undefined || (value.kind === 'literal' && !row.value.test(value.value)))) continue
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
  if (whole?.split(' ').includes(given)) return undefined
  if (/^-[^-]$/.test(option)) return valueInBundle(option.charAt(1), given, valued)
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
    if (valued.has(`-${each}`) || !/[A-Za-z0-9#:@?!]/.test(each)) return undefined
  }
  return undefined
}

/** Whether a word that starts so is one that the pattern names, also if the end of its keyword is cut: `core.p`. */
function mayBecome(pattern: RegExp, text: string): boolean {
  if (pattern.test(text)) return true
  const at = text.search(/[\w-]+$/)
  const cut = at < 0 ? undefined : text.slice(at).toLowerCase()
  const keywords = pattern.source.replace(/\\\w/g, ' ').match(/[\w-]+/g) ?? []
  return keywords.some(
    (word) =>
      cut !== undefined &&
      word.toLowerCase().startsWith(cut) &&
      ['', '.', '=', '::'].some((end) => pattern.test(text.slice(0, at) + word + end)),
  )
}

/** Whether a word that is unknown until run time may begin with a dash. */
function mayBeOption(word: Word): boolean {
  const start = startOf(word)
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
  const program = knownProgram(name)
  return program !== undefined && startsAlways(program)
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
