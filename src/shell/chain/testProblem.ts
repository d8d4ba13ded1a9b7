import type { Word } from '../../contracts/subject.ts'
import { textOf } from '../programs/literalWord.ts'

/** One operand, used as text or as a file name. */
const UNARY = /^-[a-hknprstuwxzGLNOS]$/
const BINARY = /^(?:==?|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/
const AND_OR = /^-[ao]$/

/** True if `test` may evaluate a subscript: through `-v`, `-R`, or a word that may become one of them at run time. */
export function testProblem(argv: readonly Word[]): boolean {
  const words = argv.slice(1)
  if (words.some((word) => /^-[vR]$/.test(textOf(word)))) return true
  if (words.every((word) => word.kind === 'literal')) return false
  const isBracket = textOf(argv[0]) === '['
  const operands = isBracket ? words.slice(0, -1) : words
  if (operands.some((word) => word.kind === 'many' || word.kind === 'glob')) return true
  return !isPlain(operands)
}

/** `-n X` or `X = Y`, each with an optional `!` before it, joined by `-a` or `-o`. */
function isPlain(words: readonly Word[]): boolean {
  const joint = words.findIndex((word, index) => index > 0 && AND_OR.test(textOf(word)))
  if (joint > 0) return isPlain(words.slice(0, joint)) && isPlain(words.slice(joint + 1))
  const own = textOf(words[0]) === '!' ? words.slice(1) : words
  if (own.length === 1) return words.length === own.length
  if (own.length === 2) return UNARY.test(textOf(own[0]))
  return own.length === 3 && BINARY.test(textOf(own[1]))
}
