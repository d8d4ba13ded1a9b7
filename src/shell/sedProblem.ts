import type { Word } from '../contracts/subject.ts'

/** A sed call by its words; a script that is not literal is `\0`. */
export type SedCall = {
  readonly scripts: readonly string[]
  readonly files: readonly Word[]
  readonly isInPlace: boolean
  /** What is put behind the name of a file that keeps its old text. */
  readonly suffix: string
  /** The first option that is not known. */
  readonly unknown?: string
}

const SWITCH = /^(?:-[nErsu]+|--(?:quiet|silent|regexp-extended|separate|unbuffered))$/
/** With a slash or a star the suffix would name another place. */
const IN_PLACE = /^(?:-[nErsu]*i|--in-place=?)([\w.~+-]*)$/

export function readSed(argv: readonly Word[]): SedCall {
  const scripts: string[] = []
  const operands: Word[] = []
  let [isInPlace, suffix] = [false, '']
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index]
    if (word === undefined) break
    const value = textOf(word)
    const inPlace = IN_PLACE.exec(value)
    const expression = /^--expression=([\s\S]*)$/.exec(value)?.[1]
    if (value === '\0' || value === '-' || !value.startsWith('-')) operands.push(word)
    else if (/^-[nErsu]*e$/.test(value)) {
      index += 1
      scripts.push(textOf(argv[index]))
    } else if (expression !== undefined) scripts.push(expression)
    else if (inPlace) [isInPlace, suffix] = [true, inPlace[1] || suffix]
    else if (!SWITCH.test(value)) return { scripts, files: operands, isInPlace, suffix, unknown: value }
  }
  const call = { isInPlace, suffix }
  return scripts.length > 0
    ? { ...call, scripts, files: operands }
    : { ...call, scripts: operands.slice(0, 1).map(textOf), files: operands.slice(1) }
}

function textOf(word: Word | undefined): string {
  return word?.kind === 'literal' ? word.value : '\0'
}

/** Whether it can be looked up on disk what the word stands for. */
function isNamed(word: Word): boolean {
  if (word.kind === 'literal' || word.found !== undefined) return true
  const patterns = word.kind === 'glob' ? [word.value] : word.patterns
  return patterns !== undefined && !patterns.some((each) => each.includes('**'))
}

/** Why a sed call is not covered: options or script commands beyond those that only print, or a changed file not named. */
export function sedProblem(argv: readonly Word[]): string | undefined {
  if (argv.length === 2 && /^--(?:version|help)$/.test(textOf(argv[1]))) return undefined
  const { scripts, files, isInPlace, suffix, unknown } = readSed(argv)
  if (unknown !== undefined) return `sed ${unknown} is not judged`
  if (scripts.length === 0) return 'sed without a script'
  if (isInPlace && !files.every(isNamed)) return 'sed -i with files that are known only when it runs'
  if (suffix !== '' && files.some((word) => word.kind !== 'literal')) {
    return 'sed -i with a suffix and files that are not named literally'
  }
  const script = scripts.join('\n')
  return isPrinting(script) ? undefined : 'sed: only p, d, q, = and plain s/…/…/ are covered by a rule with a wildcard'
}

/**
 * Brackets that all seds end at the same place; one that holds the delimiter is not among them. A `]` right behind the
 * opening stands for itself, and never ends one.
 */
const BRACKET = String.raw`\[(?:\^?\]|\^(?!\])|(?![\^\]]))(?:[^\]\[\\\n/]|\\[^\]\[\n/]|\[:[a-z]+:\])*\]`
const REGEX = String.raw`\/(?:\\[^\n]|[^/\\\n\[]|${BRACKET})*\/I?`
const FIRST_ADDRESS = new RegExp(String.raw`^(?:\d+(?:~\d+)?|\$|${REGEX})`)
const SECOND_ADDRESS = new RegExp(String.raw`^\s*,\s*(?:[+~]?\d+|\$|${REGEX})`)
const WHOLE_PATTERN = new RegExp(String.raw`^(?:\\[^\n]|[^\\\n\[]|${BRACKET.replaceAll('/]', ']')})*$`)

/** True for scripts of `[addr[,addr]][!]command` with the commands p, d, q, = and s. */
function isPrinting(script: string): boolean {
  let rest = script
  while (rest !== '') {
    rest = rest.replace(/^[\s;]+/, '')
    if (rest === '') return true
    if (FIRST_ADDRESS.test(rest)) rest = rest.replace(FIRST_ADDRESS, '').replace(SECOND_ADDRESS, '')
    rest = rest.replace(/^\s*!?\s*/, '')
    const command = /^(?:[pd=]|q\d*)/.exec(rest)?.[0] ?? substitution(rest)
    if (command === undefined) return false
    rest = rest.slice(command.length)
    if (!/^[ \t]*(?:[;\n]|$)/.test(rest)) return false
  }
  return true
}

/**
 * A whole `s` command with harmless flags. A sed that ends a bracket at the delimiter finds it open, and fails; what it then
 * takes for flags must not name a file, which it would open before it fails.
 */
function substitution(text: string): string | undefined {
  const delimiter = text.charAt(1)
  if (!text.startsWith('s') || !/[/|#,:@!%+~^]/.test(delimiter)) return undefined
  const pattern = readPart(text, 2, delimiter, true)
  const replacement = pattern === undefined ? undefined : readPart(text, pattern + 1, delimiter)
  if (pattern === undefined || replacement === undefined) return undefined
  if (!WHOLE_PATTERN.test(text.slice(2, pattern)) || writesElsewhere(text, delimiter)) return undefined
  return text.slice(0, replacement + 1) + (/^[gpiI0-9]*/.exec(text.slice(replacement + 1))?.[0] ?? '')
}

/** Whether the command has a flag that runs or writes where brackets do not hide the delimiter. */
function writesElsewhere(text: string, delimiter: string): boolean {
  const pattern = readPart(text, 2, delimiter)
  const replacement = pattern === undefined ? undefined : readPart(text, pattern + 1, delimiter)
  return replacement !== undefined && /^[gpiImM0-9]*[ew]/.test(text.slice(replacement + 1))
}

const WHOLE_BRACKET = new RegExp(BRACKET.replaceAll('/]', ']'), 'y')

/** The index of the next delimiter that no backslash escapes; in a pattern also past brackets. */
function readPart(text: string, start: number, delimiter: string, isPattern = false): number | undefined {
  for (let index = start; index < text.length; index += 1) {
    WHOLE_BRACKET.lastIndex = index
    const bracket = isPattern ? WHOLE_BRACKET.exec(text)?.[0] : undefined
    if (bracket !== undefined) index += bracket.length - 1
    else if (text[index] === '\\') index += 1
    else if (text[index] === '\n') return undefined
    else if (text[index] === delimiter) return index
  }
  return undefined
}
