import type { DoubleQuotedChild, HereDoc, ParsedScript, Word as SyntaxWord, WordPart } from 'unbash'
import type { Reason, WordProblemKind } from '../../contracts/reason.ts'
import type { Word } from '../../contracts/subject.ts'
import { inSubshell, type Walk } from '../walk/Walk.ts'
import { emitArithmetic } from './arithmetic.ts'
import { isProgramOutput, literalOutput, singleCommandWords } from './literalOutput.ts'
import { type Expansion, readParameter } from './parameter.ts'
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
export type WordProblem = { readonly problem: Reason; readonly isUnseen?: true }

/** What a word becomes at run time, or why that is unknown. Scripts inside it are judged on the way. */
export function readWord(word: SyntaxWord, walk: Walk): ReadWord | WordProblem {
  const pieces = readPieces(word, walk)
  return 'problem' in pieces ? pieces : join(pieces, word.text)
}

/** The parts of a word that is not an argument: patterns keep their wildcards. */
export function readPieces(word: SyntaxWord, walk: Walk): Piece[] | WordProblem {
  const tilde = readTilde(word, walk)
  if (tilde) return tilde
  const whole = { type: 'Literal', text: word.text, value: word.value } as const
  return readAll<WordPart | typeof whole>(word.parts ?? [whole], (part) => {
    if (part.type !== 'Literal') return readPart(part, word, walk)
    const problem = literalProblem(part.text, word.text)
    return problem ? wordProblem(problem, word.text) : [{ kind: 'literal', value: part.value }]
  })
}

/** What all of them become, one after the other, up to the first problem. */
function readAll<Part>(parts: readonly Part[], read: (part: Part) => Piece[] | WordProblem): Piece[] | WordProblem {
  const pieces: Piece[] = []
  for (const part of parts) {
    const found = read(part)
    if ('problem' in found) return found
    pieces.push(...found)
  }
  return pieces
}

function wordProblem(what: WordProblemKind, text: string): WordProblem {
  return {
    problem: { code: 'word', what, text: text.slice(0, 60) },
    ...(what === 'expansion' ? { isUnseen: true } : {}),
  }
}

/** Only `~` and `~/…` at the start of a word are known. */
function readTilde(word: SyntaxWord, walk: Walk): Piece[] | WordProblem | undefined {
  if (!word.text.startsWith('~')) return undefined
  const [first, ...others] = word.parts ?? []
  const text = first ? first.text : word.text
  if (!text.startsWith('~/') && (text !== '~' || others.length > 0)) return wordProblem('tilde', word.text)
  const rest: Piece[] | WordProblem = others.length > 0 ? readPieces({ ...word, text: '', parts: others }, walk) : []
  if ('problem' in rest) return rest
  const problem = literalProblem(text, word.text)
  if (problem) return wordProblem(problem, word.text)
  const value = first?.type === 'Literal' ? first.value : word.value
  return [{ kind: 'literal', value: `${walk.context.home}${value.slice(1)}` }, ...rest]
}

function readPart(part: Exclude<WordPart, { type: 'Literal' }>, word: SyntaxWord, walk: Walk): Piece[] | WordProblem {
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
        : wordProblem('translated', part.text)
    case 'Glob':
      if (part.kind === 'bracket' && !/^\[[!^]?[\w.-]+\]$/.test(part.text)) return wordProblem('pattern', part.text)
      return [{ kind: 'glob', value: part.text.replace(/\*+/, '*'), emission: part.text }]
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return readVariable(part, walk, false)
    case 'CommandExpansion':
      return part.script ? readSubstitution(part.script, walk, false) : wordProblem('expansion', part.text)
    case 'ArithmeticExpansion':
      return readArithmetic(part, walk)
    case 'ProcessSubstitution':
      if (word.parts?.length !== 1 || !part.script) return wordProblem('process', part.text)
      return [readProcess(part.operator, part.script, walk)]
    case 'BraceExpansion':
      return wordProblem('braces', part.text)
    case 'ExtendedGlob':
      return wordProblem('pattern', part.text)
  }
}

/** `$'…'` with the escapes that every bash reads alike, and a result in plain ASCII. */
function readAnsiC(text: string, value: string): Piece[] | WordProblem {
  const isKnown = /^\$'(?:[^\\]|\\(?:[nt\\'"0-7]|[xu][\dA-Fa-f]))*'$/.test(text)
  if (!isKnown || !/^[\x20-\x7e\n\t]*$/.test(value)) return wordProblem('escape', text)
  return [{ kind: 'literal', value }]
}

function readQuoted(children: readonly DoubleQuotedChild[], walk: Walk): Piece[] | WordProblem {
  return readAll(children, (child) => readChild(child, walk))
}

function readChild(child: DoubleQuotedChild, walk: Walk): Piece[] | WordProblem {
  switch (child.type) {
    case 'Literal':
      return child.text.includes('$\\\n')
        ? wordProblem('escape', child.text)
        : [{ kind: 'literal', value: child.value }]
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return readVariable(child, walk, true)
    case 'CommandExpansion':
      return child.script ? readSubstitution(child.script, walk, true) : wordProblem('expansion', child.text)
    case 'ArithmeticExpansion':
      return readArithmetic(child, walk)
  }
}

function readVariable(part: Expansion, walk: Walk, isQuoted: boolean): Piece[] | WordProblem {
  const read = readParameter(part, walk)
  if (read === undefined) return wordProblem('expansion', part.text)
  const { name, isMany, isNumber } = read
  const emission = isQuoted ? `"${read.emission}"` : read.emission
  const place = read.isPlain ? knownPlace(name, walk) : undefined
  if (place !== undefined && (isQuoted || isPlain(place))) return [{ kind: 'literal', value: place }]
  const known = read.isPlain ? walk.variables.get(name) : undefined
  if (known && 'value' in known && (isQuoted || isPlain(known.value))) {
    return [{ kind: 'literal', value: known.value, ...(known.isConstant ? {} : { emission: `"${read.emission}"` }) }]
  }
  const prefix = known && 'prefix' in known ? { prefix: known.prefix } : {}
  // A variable that holds only numbers is one word even without quotes.
  const isOne = isNumber || (read.isPlain && walk.facts.isNumeric(name))
  return [{ kind: isMany || !(isQuoted || isOne) ? 'many' : 'dynamic', emission, ...prefix }]
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
function readSubstitution(script: ParsedScript, walk: Walk, isQuoted: boolean): Piece[] {
  const value = isQuoted ? literalOutput(script) : undefined
  if (value !== undefined) return [{ kind: 'literal', value }]
  const text = walk.visit.script(script, inSubshell(walk))
  const place = singleCommandWords(script)?.join(' ') === 'pwd' ? knownPlace('PWD', walk) : undefined
  if (place !== undefined && !place.endsWith('\n') && (isQuoted || isPlain(place)))
    return [{ kind: 'literal', value: place }]
  const emission = isQuoted ? `"$( ${text} )"` : `$( ${text} )`
  return [{ kind: isQuoted ? 'dynamic' : 'many', emission, ...outputOf(text) }]
}

function readArithmetic(part: Extract<WordPart, { type: 'ArithmeticExpansion' }>, walk: Walk): Piece[] | WordProblem {
  const text = part.text.startsWith('$((') ? emitArithmetic(part.expression, walk) : undefined
  if (text === undefined) return { problem: { code: 'arithmetic', text: part.text.slice(0, 60) }, isUnseen: true }
  return [{ kind: 'dynamic', emission: `$(( ${text} ))` }]
}

const UNREAD: WordProblem = { problem: { code: 'redirect', what: 'document', target: '' } }

/** The text of a here-document, as one word. */
export function readHereDocument(document: HereDoc, walk: Walk): ReadWord | WordProblem {
  const { body, operator } = document
  const plainText = (text: string): string =>
    text.replace(/\\([\\$`\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped))
  const parts = body.parts ?? []
  if (parts.length === 0) return join([{ kind: 'literal', value: plainText(body.text) }], '')
  if (operator === '<<-') return UNREAD
  const pieces = readAll(parts, (part) => {
    if (part.type === 'Literal') return [{ kind: 'literal', value: plainText(part.text) }]
    return isExpanded(part) ? readChild(part, walk) : UNREAD
  })
  return 'problem' in pieces ? pieces : join(pieces, '')
}

function isExpanded(part: WordPart): part is DoubleQuotedChild {
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
