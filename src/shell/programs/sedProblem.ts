import type { Word } from '../../contracts/subject.ts'
import type { FoundStart } from './findStart.ts'
import { literalWord, startOf, textOf } from './literalWord.ts'

/** The words of a sed call that may run a command: `e`, `s///e`, an unknown script. Sources: GTFOBins, sed(1). */
export function sedProblem(argv: readonly Word[]): FoundStart | undefined {
  const scripts: Word[] = []
  const operands: Word[] = []
  let isEnded = false
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index]
    if (word === undefined) break
    const value = word.kind === 'literal' ? word.value : undefined
    if (isEnded || (value !== undefined && !value.startsWith('-'))) operands.push(word)
    else if (value === undefined) {
      if (mayBeScript(word)) return { unknown: word }
      operands.push(word)
    } else if (value === '--') isEnded = true
    else {
      const [, short, long, rest = ''] = VALUED.exec(value) ?? []
      const option = short ?? long
      if (option === 'f') return { words: [value] }
      if (option === undefined) continue
      const isNext = rest === ''
      if (isNext) index += 1
      if (option === 'e') scripts.push(isNext ? (argv[index] ?? word) : literalWord(rest.replace(/^=/, '')))
    }
  }
  if (scripts.length === 0 && operands[0]) scripts.push(operands[0])
  const unknown = scripts.find((script) => script.kind !== 'literal')
  if (unknown) return { unknown }
  const texts = scripts.map(textOf)
  return isHarmless(texts.join('\n')) ? undefined : { words: texts }
}

/** An option with a value: its letter, and what follows it in the same word. */
const VALUED = /^(?:-[nErsuzb]*([efl])|--([efl])(?!ollow)[^=]*)(.*)$/s

function mayBeScript(word: Word): boolean {
  const start = startOf(word)
  return start === '' || /^[-*?[]/.test(start)
}

/** Brackets that all seds end at the same place, without the delimiter inside. A `]` at their start is literal. */
const BRACKET = String.raw`\[(?:\^?\]|\^(?!\])|(?![\^\]]))(?:[^\]\[\\\n/]|\\[^\]\[\n/]|\[:[a-z]+:\])*\]`
const REGEX = String.raw`\/(?:\\[^\n]|[^/\\\n\[]|${BRACKET})*\/[IM]*`
const FIRST_ADDRESS = new RegExp(String.raw`^(?:\d+(?:~\d+)?|\$|${REGEX})`)
const SECOND_ADDRESS = new RegExp(String.raw`^\s*,\s*(?:[+~]?\d+|\$|${REGEX})`)
const WHOLE_PATTERN = new RegExp(String.raw`^(?:\\[^\n]|[^\\\n\[]|${BRACKET.replaceAll('/]', ']')})*$`)

/** True for scripts without any `e`, and for those in a simple grammar without one. Output files do not matter here. */
function isHarmless(script: string): boolean {
  if (!script.includes('e')) return true
  let rest = script
  for (;;) {
    rest = rest.replace(/^[\s;}]+/, '')
    if (rest === '') return true
    rest = rest
      .replace(FIRST_ADDRESS, '')
      .replace(SECOND_ADDRESS, '')
      .replace(/^\s*!?\s*/, '')
    if (rest.startsWith('{')) {
      rest = rest.slice(1)
      continue
    }
    const text = /^(?:[aic](?:\\\n?)?[^\n\\]*|[rRwW][ \t]+[^\n\\]*|#[^\n]*)(?=\n|$)/.exec(rest)?.[0]
    if (text !== undefined) {
      rest = rest.slice(text.length)
      continue
    }
    const command = /^(?:[pPdD=nNgGhHxzlF]|[qQ] ?\d*|[:btT][ \t]*[\w.-]*)/.exec(rest)?.[0].length ?? substitution(rest)
    if (command === undefined) return false
    rest = rest.slice(command)
    if (!/^[ \t]*(?:[;}\n]|$)/.test(rest)) return false
  }
}

/** The length of a whole `s` or `y` command with harmless flags, even in a sed that ends a bracket at the delimiter. */
function substitution(text: string): number | undefined {
  const delimiter = text.charAt(1)
  if (!/^[sy]/.test(text) || !/[/|#,:@!%+~^_=]/.test(delimiter)) return undefined
  const isRegex = text.startsWith('s')
  const pattern = readPart(text, 2, delimiter, isRegex)
  const end = readPart(text, pattern + 1, delimiter)
  if (end === Number.POSITIVE_INFINITY) return undefined
  if (isRegex && (!WHOLE_PATTERN.test(text.slice(2, pattern)) || runsElsewhere(text, delimiter))) return undefined
  return end + 1 + text.slice(end + 1).search(/[^gpiImM0-9]|$/)
}

/** Whether the command has a flag that runs something if brackets do not hide the delimiter. */
function runsElsewhere(text: string, delimiter: string): boolean {
  const end = readPart(text, readPart(text, 2, delimiter) + 1, delimiter)
  return /^[gpiImM0-9]*e/.test(text.slice(end + 1))
}

const WHOLE_BRACKET = new RegExp(BRACKET.replaceAll('/]', ']'), 'y')

/** The index of the next delimiter that is not escaped, infinite without one; in a pattern, brackets are skipped too. */
function readPart(text: string, start: number, delimiter: string, isPattern = false): number {
  for (let index = start; index < text.length; index += 1) {
    WHOLE_BRACKET.lastIndex = index
    const bracket = isPattern ? WHOLE_BRACKET.exec(text)?.[0] : undefined
    if (bracket !== undefined) index += bracket.length - 1
    else if (text[index] === '\\') index += 1
    else if (text[index] === '\n') break
    else if (text[index] === delimiter) return index
  }
  return Number.POSITIVE_INFINITY
}
