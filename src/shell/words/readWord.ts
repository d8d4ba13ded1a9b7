import type { DoubleQuotedChild, HereDoc, ParsedScript, Word as SyntaxWord, WordPart } from 'unbash'
import type { Reason, WordProblemKind } from '../../contracts/reason.ts'
import type { Word } from '../../contracts/subject.ts'
import { inSubshell, Unjudged, type Walk } from '../walk/Walk.ts'
import { arithmeticProblem, emitArithmetic } from './arithmetic.ts'
import { isProgramOutput, isPwd, literalOutput } from './literalOutput.ts'
import { readParameter, type Variable } from './parameter.ts'
import { isPlain, quoteWord, spellWord } from './quoteWord.ts'
import { type Piece, wordOf } from './wordOf.ts'

/** A word as it is judged (`word`), executed (`emission`) and shown (`text`). */
export type ReadWord = {
  readonly word: Word
  readonly emission: string
  readonly text: string
  /** The value comes from a loop's variable. */
  readonly isVariable?: true
}

/** What a word becomes at run time; throws `Unjudged` if that is unknown. Scripts inside it are judged on the way. */
export function readWord(word: SyntaxWord, walk: Walk): ReadWord {
  return join(readPieces(word, walk), word.text)
}

/** The parts of a word that is not an argument: patterns keep their wildcards. */
export function readPieces(word: SyntaxWord, walk: Walk): readonly Piece[] {
  if (word.text.startsWith('~')) return readTilde(word, walk)
  if (word.parts === undefined) return [readLiteral(word, word)]
  return word.parts.flatMap((part) =>
    part.type === 'Literal' ? [readLiteral(part, word)] : readPart(part, word, walk),
  )
}

function readLiteral({ text, value }: Pick<SyntaxWord, 'text' | 'value'>, word: SyntaxWord): Piece {
  const problem = literalProblem(text, word.text)
  if (problem) throw wordProblem(problem, word.text)
  return { kind: 'literal', value }
}

export function wordProblem(what: WordProblemKind, text: string): Unjudged {
  return new Unjudged({ code: 'word', what, text: text.slice(0, 60) }, what === 'expansion')
}

/** Only `~` and `~/…` at the start of a word are known. */
function readTilde(word: SyntaxWord, walk: Walk): readonly Piece[] {
  const [first, ...others] = word.parts ?? []
  const text = first ? first.text : word.text
  if (!text.startsWith('~/') && (text !== '~' || others.length > 0)) throw wordProblem('tilde', word.text)
  const rest = others.length > 0 ? readPieces({ ...word, text: '', parts: others }, walk) : []
  const problem = literalProblem(text, word.text)
  if (problem) throw wordProblem(problem, word.text)
  const value = first?.type === 'Literal' ? first.value : word.value
  return [{ kind: 'literal', value: `${walk.context.home}${value.slice(1)}` }, ...rest]
}

function readPart(part: Exclude<WordPart, { type: 'Literal' }>, word: SyntaxWord, walk: Walk): readonly Piece[] {
  switch (part.type) {
    case 'SingleQuoted':
      return [{ kind: 'literal', value: part.value }]
    case 'AnsiCQuoted':
      return readAnsiC(part.text, part.value)
    case 'DoubleQuoted':
      return readQuoted(part.parts, walk)
    case 'LocaleString':
      if (part.parts.some((child) => child.type !== 'Literal')) throw wordProblem('translated', part.text)
      return readQuoted(part.parts, walk)
    case 'Glob':
      if (part.kind === 'bracket' && !/^\[[!^]?[\w.-]+\]$/.test(part.text)) throw wordProblem('pattern', part.text)
      return [{ kind: 'glob', value: part.text.replace(/\*+/, '*'), emission: part.text }]
    case 'ProcessSubstitution':
      if (word.parts?.length !== 1 || !part.script) throw wordProblem('process', part.text)
      return [readProcess(part.operator, part.script, walk)]
    case 'BraceExpansion':
      throw wordProblem('braces', part.text)
    case 'ExtendedGlob':
      throw wordProblem('pattern', part.text)
    default:
      return readExpansion(part, walk, false)
  }
}

/** `$'…'` with the escapes that every bash reads alike, and a result in plain ASCII. */
function readAnsiC(text: string, value: string): readonly Piece[] {
  const isKnown = /^\$'(?:[^\\]|\\(?:[nt\\'"0-7]|[xu][\dA-Fa-f]))*'$/.test(text)
  if (!isKnown || !/^[\x20-\x7e\n\t]*$/.test(value)) throw wordProblem('escape', text)
  return [{ kind: 'literal', value }]
}

function readQuoted(children: readonly DoubleQuotedChild[], walk: Walk): readonly Piece[] {
  return children.flatMap((child) => {
    if (child.type !== 'Literal') return readExpansion(child, walk, true)
    if (child.text.includes('$\\\n')) throw wordProblem('escape', child.text)
    return [{ kind: 'literal', value: child.value }]
  })
}

type Expansion = Exclude<DoubleQuotedChild, { type: 'Literal' }>

function readExpansion(part: Expansion, walk: Walk, isQuoted: boolean): readonly Piece[] {
  if (part.type === 'ArithmeticExpansion') return [readArithmetic(part, walk)]
  if (part.type !== 'CommandExpansion') return [readVariable(part, walk, isQuoted)]
  if (!part.script) throw wordProblem('expansion', part.text)
  return [readSubstitution(part.script, walk, isQuoted)]
}

function readVariable(part: Variable, walk: Walk, isQuoted: boolean): Piece {
  const read = readParameter(part, walk)
  if (read === undefined) throw wordProblem('expansion', part.text)
  const { name, isMany, isNumber } = read
  const emission = isQuoted ? `"${read.emission}"` : read.emission
  const place = read.isPlain ? knownPlace(name, walk) : undefined
  if (place !== undefined && (isQuoted || isPlain(place))) return { kind: 'literal', value: place }
  const known = read.isPlain ? walk.variables.get(name) : undefined
  if (known && 'value' in known && (isQuoted || isPlain(known.value))) {
    return { kind: 'literal', value: known.value, ...(known.isConstant ? {} : { emission: `"${read.emission}"` }) }
  }
  const prefix = known && 'prefix' in known ? { prefix: known.prefix } : {}
  // A variable that holds only numbers is one word even without quotes.
  const isOne = isNumber || (read.isPlain && walk.facts.isNumeric(name))
  return { kind: isMany || !(isQuoted || isOne) ? 'many' : 'dynamic', emission, ...prefix }
}

/** The folder in `$PWD` or `$HOME`: no judged line assigns to them. A script of a command may run elsewhere. */
function knownPlace(name: string, walk: Walk): string | undefined {
  if (walk.depth > 0) return undefined
  return name === 'PWD' ? walk.cwd : name === 'HOME' ? walk.context.home : undefined
}

function readProcess(operator: string, script: ParsedScript, walk: Walk): Piece {
  const text = walk.visit.script(script, inSubshell(walk))
  return { kind: 'dynamic', emission: `${operator}( ${text} )`, prefix: '/dev/fd/', ...outputOf(text) }
}

function outputOf(canonical: string): { readonly isOutput?: true } {
  return isProgramOutput(canonical) ? { isOutput: true } : {}
}

/** `"$(cat <<'END' …)"` is its text. Any other script is judged, and its output is unknown. */
function readSubstitution(script: ParsedScript, walk: Walk, isQuoted: boolean): Piece {
  const value = isQuoted ? literalOutput(script) : undefined
  if (value !== undefined) return { kind: 'literal', value }
  const text = walk.visit.script(script, inSubshell(walk))
  const place = isPwd(script) ? knownPlace('PWD', walk) : undefined
  if (place !== undefined && !place.endsWith('\n') && (isQuoted || isPlain(place)))
    return { kind: 'literal', value: place }
  const emission = isQuoted ? `"$( ${text} )"` : `$( ${text} )`
  return { kind: isQuoted ? 'dynamic' : 'many', emission, ...outputOf(text) }
}

function readArithmetic({ text, expression }: Extract<WordPart, { type: 'ArithmeticExpansion' }>, walk: Walk): Piece {
  if (!text.startsWith('$((')) throw arithmeticProblem(text)
  return { kind: 'dynamic', emission: `$(( ${emitArithmetic(expression, text, walk)} ))` }
}

const UNREAD: Reason = { code: 'redirect', what: 'document', target: '' }

/** The text of a here-document, as one word. */
export function readHereDocument(document: HereDoc, walk: Walk): ReadWord {
  const { body, operator } = document
  const plainText = (text: string): string =>
    text.replace(/\\([\\$`\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped))
  const parts = body.parts ?? []
  if (parts.length === 0) return join([{ kind: 'literal', value: plainText(body.text) }], '')
  if (operator === '<<-') throw new Unjudged(UNREAD)
  const pieces = parts.flatMap((part): readonly Piece[] => {
    if (part.type === 'Literal') return [{ kind: 'literal', value: plainText(part.text) }]
    if (!isExpansion(part)) throw new Unjudged(UNREAD)
    return readExpansion(part, walk, true)
  })
  return join(pieces, '')
}

function isExpansion(part: WordPart): part is Expansion {
  return /^(?:SimpleExpansion|ParameterExpansion|CommandExpansion|ArithmeticExpansion)$/.test(part.type)
}

/** The pieces as text that bash reads as this one word. */
export function emitPieces(pieces: readonly Piece[]): string {
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
  return emission === '' ? "''" : emission
}

function join(pieces: readonly Piece[], source: string): ReadWord {
  const word = withWritten(wordOf(pieces), source)
  const emission = emitPieces(pieces)
  // Rules look for their words in it, whatever quotes the line has.
  const own = 'isOutput' in word ? emission : source
  const shown = own.length > 200 ? `${own.slice(0, 200)}…` : own
  const text = word.kind === 'literal' ? spellWord(word.written ?? word.value) : shown
  const isVariable = pieces.some((piece) => piece.kind === 'literal' && piece.emission !== undefined)
  return { word, emission, text, ...(isVariable ? { isVariable } : {}) }
}

function withWritten(word: Word, source: string): Word {
  return word.kind === 'literal' && /^~(?:\/[\w./-]*)?$/.test(source) ? { ...word, written: source } : word
}

/** Why unquoted text is more than literal text: braces and tildes that bash expands. */
function literalProblem(text: string, word: string): WordProblemKind | undefined {
  if (text.includes('$\\\n')) return 'escape'
  const unquoted = text.replace(/\\[\s\S]/g, '')
  if (unquoted.includes('{') && (word.includes(',') || word.includes('..'))) return 'braces'
  if (/[=:]~/.test(unquoted) && /^[A-Za-z_]\w*\+?=/.test(word)) return 'tilde'
  return undefined
}
