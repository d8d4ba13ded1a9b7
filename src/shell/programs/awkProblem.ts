import type { Word } from '../../contracts/subject.ts'
import type { FoundStart } from './findStart.ts'
import { startOf } from './literalWord.ts'

/** The words of an awk call that may run a command: `system()`, a pipe, a program file. Sources: GTFOBins, gawk(1). */
export function awkProblem(argv: readonly Word[]): FoundStart | undefined {
  let index = 1
  for (; index < argv.length; index += 1) {
    const word = argv[index]
    const value = startOf(word)
    if (word?.kind !== 'many' && /^-[Fv]./s.test(value)) continue
    if (word?.kind !== 'literal') return word && { unknown: word }
    if (value === '--') {
      index += 1
      break
    }
    if (!/^-./.test(value)) break
    if (/^-[Fv]$/.test(value)) index += 1
    else if (!FLAG.test(value)) return { words: [value] }
  }
  const program = argv[index]
  if (program === undefined) return undefined
  if (program.kind !== 'literal') return { unknown: program }
  return RUNS.test(withoutLiterals(program.value)) ? { words: [program.value] } : undefined
}

/** Options that take no other word and name no file. Of any other, nobody knows where the program stands. */
const FLAG =
  /^(?:-[bcChMnNOPrsStV]+|--(?:csv|lint|posix|re-interval|sandbox|traditional|version|help)|--(?:assign|field-separator)=.*)$/s

const RUNS = /(?<![A-Za-z_])system(?!\w)|[|@]|SYMTAB/

/** The program without strings and regular expressions; unchanged if awk versions may parse it differently. */
function withoutLiterals(program: string): string {
  const tokens = readAwk(program)
  if (tokens === undefined) return program
  return tokens
    .map(({ kind, text }) => (text === '||' || kind === 'string' || kind === 'regex' ? ' "" ' : ` ${text}`))
    .join('')
}

/** The kind of a token in an awk program: it ends a value, or a value may follow it. */
type AwkToken = {
  readonly kind: 'value' | 'name' | 'string' | 'regex' | 'operator' | 'newline'
  readonly text: string
}

/** Some awks take a `]` directly after the opening bracket literally, others close with it: it is not accepted. */
const BRACKET = String.raw`\[(?!\^?\])\^?(?:[^\]\[\\/\n]|\\[^\]\[\\/\n]|\[:[a-z]+:\])+\]`
const SPACE = /(?:[ \t]|#[^\n\\]*(?=\n|$))+/y
const TOKENS: readonly (readonly [AwkToken['kind'], RegExp])[] = [
  ['newline', /\n/y],
  ['string', /"(?:[^"\\\n]|\\[^\n])*"/y],
  ['value', /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y],
  ['name', /[A-Za-z_]\w*/y],
  ['operator', /\+\+|--|&&|\|\||>=|<=|==|!=|!~|\*\*=|\*\*|[-+*/%^]=|>>|[{}()[\];,+\-*/%^!<>=~?:$|@]/y],
]
const REGEX = new RegExp(String.raw`\/(?!=)(?:[^/\\\n\[]|\\[^\n]|${BRACKET})*\/`, 'y')

/** A slash after it starts a regular expression in every awk. */
const BEFORE_REGEX = /^(?:[{};(,!~]|&&|\|\||!~|\n|print|printf)$/
/** Words that are not variables: whether a slash after them divides depends on the awk. */
const NO_VARIABLE = new Set(
  (
    'and asort asorti atan2 BEGIN bindtextdomain break case close compl continue cos dcgettext dcngettext default delete do ' +
    'else END exit exp fflush for func function gensub getline gsub if in index int isarray length log lshift match mkbool ' +
    'mktime next nextfile or patsplit print printf rand return rshift sin split sprintf sqrt srand strftime strtonum sub ' +
    'substr switch system systime tolower toupper typeof while xor BEGINFILE ENDFILE'
  ).split(' '),
)

/** The tokens of an awk program; undefined if awk versions may tokenize it differently. */
function readAwk(program: string): readonly AwkToken[] | undefined {
  const tokens: AwkToken[] = []
  const open: string[] = []
  let isControl = false
  for (let at = 0; ; ) {
    at += match(SPACE, program, at)?.length ?? 0
    if (at >= program.length) break
    const token: AwkToken | undefined =
      program[at] === '/' ? readSlash(program, at, tokens.at(-1), isControl) : readToken(program, at)
    if (token === undefined) return undefined
    if (
      token.text === '\n' &&
      open.length > 0 &&
      open.at(-1) !== '{' &&
      !/^(?:,|&&|\|\|)$/.test(tokens.at(-1)?.text ?? '')
    )
      return undefined
    if (token.text === '(') open.push(/^(?:if|while|for|switch)$/.test(tokens.at(-1)?.text ?? '') ? 'control' : '(')
    if (/^[{[]$/.test(token.text)) open.push(token.text)
    const opener: string | undefined = token.kind === 'operator' && /^[)}\]]$/.test(token.text) ? open.pop() : ''
    if (opener === undefined || (opener !== '' && CLOSERS[opener] !== token.text)) return undefined
    isControl = opener === 'control' || (isControl && token.kind === 'newline')
    tokens.push(token)
    at += token.text.length
  }
  return open.length === 0 ? tokens : undefined
}

const CLOSERS: Readonly<Record<string, string>> = { control: ')', '(': ')', '{': '}', '[': ']' }

function readToken(program: string, at: number): AwkToken | undefined {
  for (const [kind, pattern] of TOKENS) {
    const text = match(pattern, program, at)
    if (text !== undefined) return { kind, text }
  }
  return undefined
}

/** A division or a regular expression, depending on the previous token. */
function readSlash(
  program: string,
  at: number,
  before: AwkToken | undefined,
  isControl: boolean,
): AwkToken | undefined {
  if (isControl) return undefined
  if (before === undefined || BEFORE_REGEX.test(before.text)) {
    const text = match(REGEX, program, at)
    return text === undefined ? undefined : { kind: 'regex', text }
  }
  const isValue =
    before.kind === 'value' ||
    before.kind === 'string' ||
    /^[)\]]$/.test(before.text) ||
    (before.kind === 'name' && !NO_VARIABLE.has(before.text))
  return isValue ? readToken(program, at) : undefined
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
