import type { Word } from '../contracts/subject.ts'

/** One operand, which is looked at as text or as the name of a file. */
const UNARY = /^-[nzefdrwxsLh]$/
const BINARY = /^(?:==?|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/

/**
 * Why a test is not harmless: `-v` and `-R` evaluate subscripts, and a word known only when it runs may be one of them where
 * its place does not make it an operand.
 */
export function testProblem(argv: readonly Word[]): string | undefined {
  const words = argv.slice(1)
  if (words.some((word) => word.kind !== 'literal') && !isPlainTest(argv))
    return 'a test of something known only when it runs'
  const found = words.find((word) => word.kind === 'literal' && (word.value === '-v' || word.value === '-R'))
  return found === undefined ? undefined : `test ${textOf(found)} evaluates subscripts`
}

/** Forms whose meaning the number of words decides: `-n X`, `X = Y`, each also after one `!`. */
function isPlainTest(argv: readonly Word[]): boolean {
  const isBracket = textOf(argv[0]) === '['
  const all = isBracket ? argv.slice(1, -1) : argv.slice(1)
  const words = textOf(all[0]) === '!' ? all.slice(1) : all
  if (words.some((word) => word.kind === 'glob')) return false
  if (words.length === 2) return UNARY.test(textOf(words[0]) ?? '')
  return words.length === 3 && BINARY.test(textOf(words[1]) ?? '')
}

function textOf(word: Word | undefined): string | undefined {
  return word?.kind === 'literal' ? word.value : undefined
}
