import type { DoubleQuotedChild, ParsedScript, Word as SyntaxWord, WordPart } from 'unbash'
import type { CommandLink, Word } from '../contracts/subject.ts'
import { type Expansion, expansionName } from './expansionName.ts'
import { hereDocumentText } from './hereDocumentText.ts'
import { knownPlace, plainWords } from './knownPlace.ts'
import { isPlain, quoteWord, spellWord } from './quoteWord.ts'
import { UNCLEAR } from './speltWords.ts'
import { addSubject, inBackground, inSubshell, type Walk } from './walk.ts'
import { type Piece, wordOf } from './wordOf.ts'

/** A word as it is judged (`word`), executed (`emission`) and shown (`text`). */
export type ReadWord = {
  readonly word: Word
  readonly emission: string
  readonly text: string
  /** The value comes from a loop's variable. */
  readonly isVariable?: true
}
export type WordProblem = { readonly problem: string }

/** What a word becomes when it runs, or why that cannot be said. Scripts inside it are judged on the way. */
export function readWord(word: SyntaxWord, walk: Walk): ReadWord | WordProblem {
  const tilde = readTilde(word, walk)
  if (tilde) return tilde
  const pieces: Piece[] = []
  for (const part of word.parts ?? [{ type: 'Literal', text: word.text, value: word.value } as const]) {
    const problem = part.type === 'Literal' ? walk.checks.literalProblem(part.text, word.text) : undefined
    if (problem) return { problem }
    const read =
      part.type === 'Literal' ? [{ kind: 'literal', value: part.value } as const] : readPart(part, word, walk)
    if ('problem' in read) return read
    pieces.push(...read)
  }
  return join(pieces, word.text)
}

function readTilde(word: SyntaxWord, walk: Walk): ReadWord | WordProblem | undefined {
  if (!word.text.startsWith('~')) return undefined
  const first = word.parts?.[0]
  const text = first ? first.text : word.text
  const isAlone = text === '~' && (word.parts?.length ?? 1) === 1
  if (!isAlone && !text.startsWith('~/')) return { problem: 'a `~` of another user or state' }
  if (word.parts && word.parts.length > 1) return { problem: 'a `~` before more than literal text' }
  const problem = walk.checks.literalProblem(text, word.text)
  if (problem) return { problem }
  const value = `${walk.context.home}${word.value.slice(1)}`
  return { word: { kind: 'literal', value, written: word.value }, emission: quoteWord(value), text: word.text }
}

function readPart(part: Exclude<WordPart, { type: 'Literal' }>, word: SyntaxWord, walk: Walk): Piece[] | WordProblem {
  const place = knownPlace(part, walk)
  if (place !== undefined && isPlain(place)) return [{ kind: 'literal', value: place }]
  switch (part.type) {
    case 'SingleQuoted':
      return [{ kind: 'literal', value: part.value }]
    case 'AnsiCQuoted':
      return readAnsiC(part.text, part.value)
    case 'DoubleQuoted':
      return readQuoted(part.parts, walk)
    case 'LocaleString':
      return part.parts.every((child) => child.type === 'Literal')
        ? readQuoted(part.parts, walk)
        : { problem: 'a translated string with an expansion' }
    case 'Glob':
      if (part.kind === 'bracket' && !/^\[[!^]?[\w.-]+\]$/.test(part.text))
        return { problem: 'an unusual glob bracket' }
      // Without `globstar`, which nothing can set here, any run of stars is one.
      return [{ kind: 'glob', value: part.text.replace(/\*+/, '*'), emission: part.text }]
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return readUnquoted(part, walk)
    case 'ProcessSubstitution':
      if (part.operator === '>' || word.parts?.length !== 1 || !part.script)
        return { problem: 'a process substitution' }
      return [readProcess(part.script, walk)]
    default:
      return { problem: `${NAMES[part.type]} ${part.text.slice(0, 60)}` }
  }
}

/** The word is `/dev/fd/…`: no file that a rule could be about. */
function readProcess(script: ParsedScript, walk: Walk): Piece {
  const emission = `<( ${inBackground(walk, () => walk.visit.script(script, inSubshell(walk)))} )`
  return { kind: 'dynamic', emission, prefix: '/dev/fd/', patterns: [] }
}

const NAMES = {
  CommandExpansion: 'an unquoted command substitution (it is split into words); put it in double quotes:',
  ArithmeticExpansion: 'an arithmetic expansion',
  ExtendedGlob: 'an extended glob',
  BraceExpansion: 'a brace expansion',
} as const

/** `$'…'` with the escapes that every bash reads alike, and a result in plain ASCII. */
function readAnsiC(text: string, value: string): Piece[] | WordProblem {
  const isKnown = /^\$'(?:[^\\]|\\(?:[nt\\'"]|x[\dA-Fa-f]{1,2}|[0-7]{1,3}|u[\dA-Fa-f]{1,4}))*'$/.test(text)
  if (!isKnown || !/^[\x20-\x7e\n\t]*$/.test(value)) return { problem: "an unusual escape in $'…'" }
  return [{ kind: 'literal', value }]
}

function readQuoted(children: readonly DoubleQuotedChild[], walk: Walk): Piece[] | WordProblem {
  const pieces: Piece[] = []
  for (const child of children) {
    const read = readChild(child, walk)
    if ('problem' in read) return read
    pieces.push(read)
  }
  return pieces.length > 0 ? pieces : [{ kind: 'literal', value: '' }]
}

function readChild(child: DoubleQuotedChild, walk: Walk): Piece | WordProblem {
  const place = knownPlace(child, walk)
  if (place !== undefined) return { kind: 'literal', value: place }
  switch (child.type) {
    case 'Literal':
      if (child.text.includes('$\\\n')) return { problem: 'a `$` before a line continuation' }
      return { kind: 'literal', value: child.value }
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return readVariable(child, walk)
    case 'CommandExpansion':
      return child.script ? readSubstitution(child.script, walk) : { problem: 'an unreadable command substitution' }
    case 'ArithmeticExpansion':
      return { problem: `an arithmetic expansion ${child.text.slice(0, 60)}` }
  }
}

/** One word when quoted: `"$NAME"`, `"${NAME}"`, `"$?"`. */
function readVariable(part: Expansion, walk: Walk): Piece | WordProblem {
  const name = expansionName(part)
  if (name === undefined || !/^(?:[A-Za-z_]\w*|[?$#])$/.test(name)) {
    return { problem: `a parameter expansion ${part.text.slice(0, 60)}` }
  }
  const emission = `"\${${name}}"`
  const known = walk.variables.get(name)
  // A variable of the environment is called in capitals; what a loop leaves behind, and `$_`, are words of the line.
  if (known === undefined) return { kind: 'dynamic', emission, ...(/^[a-z_]/.test(name) ? { found: UNCLEAR } : {}) }
  return 'value' in known ? { kind: 'literal', value: known.value, emission } : { kind: 'dynamic', emission, ...known }
}

/** Without quotes only what is never split: numbers, and a loop's variable with a plain value. */
function readUnquoted(part: Expansion, walk: Walk): Piece[] | WordProblem {
  const name = expansionName(part) ?? ''
  const known = walk.variables.get(name)
  const isOneWord = known !== undefined && 'value' in known && isPlain(known.value)
  if (!/^[?$#]$/.test(name) && !isOneWord) {
    return { problem: `an unquoted ${part.text.slice(0, 60)} (it is split into words); put it in double quotes` }
  }
  const read = readVariable(part, walk)
  return 'problem' in read ? read : [read]
}

/** `"$(cat <<'END' …)"` is its text; any other script is judged, its output is unknown. */
function readSubstitution(script: ParsedScript, walk: Walk): Piece {
  const value = literalOutput(script)
  if (value === undefined) {
    const inner: Walk = { ...inSubshell(walk), input: undefined, printed: undefined }
    const emission = `"$( ${walk.visit.script(script, inner)} )"`
    const { printed } = inner
    // The top of a repository is no protected folder; what is named behind it is looked at.
    if (plainWords(script)?.join(' ') === 'git rev-parse --show-toplevel') return { kind: 'dynamic', emission }
    return { kind: 'dynamic', emission, found: printed && !printed.isNul ? { ...printed, isSplit: true } : UNCLEAR }
  }
  const cat: CommandLink = { argv: [{ kind: 'literal', value: 'cat' }], cover: 'free' }
  addSubject(walk, { kind: 'command', chain: [cat], text: 'cat' })
  return { kind: 'literal', value }
}

/** The output of a script that is nothing but a quoted here-document through `cat`. */
export function literalOutput(script: ParsedScript): string | undefined {
  const [statement, ...more] = script.commands
  const command = statement?.command
  if (script.errors?.length || more.length > 0 || statement?.background || command?.type !== 'Command') return undefined
  const [redirect, ...others] = command.redirects
  const isCat = command.name?.text === 'cat' && command.args.length === 0 && command.prefix.length === 0
  if (!isCat || others.length > 0 || redirect?.type !== 'HereDoc' || redirect.descriptor) return undefined
  if (!redirect.delimiter?.quoted || !redirect.closing) return undefined
  return hereDocumentText(redirect).replace(/\n+$/, '')
}

function join(pieces: readonly Piece[], source: string): ReadWord {
  let emission = ''
  let literal = ''
  const flush = (): void => {
    if (literal !== '') emission += quoteWord(literal)
    literal = ''
  }
  for (const piece of pieces) {
    if (piece.kind === 'literal' && piece.emission === undefined) {
      literal += piece.value
      continue
    }
    flush()
    emission += piece.emission ?? ''
  }
  flush()
  const word = wordOf(pieces)
  const text =
    word.kind === 'literal' ? spellWord(word.value) : source.length > 200 ? `${source.slice(0, 200)}…` : source
  const isVariable = pieces.some((piece) => piece.kind === 'literal' && piece.emission !== undefined)
  return { word, emission: emission === '' ? "''" : emission, text, ...(isVariable ? { isVariable } : {}) }
}
