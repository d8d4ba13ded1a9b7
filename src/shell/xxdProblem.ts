import type { Word } from '../contracts/subject.ts'

const VALUED = /^-(?:[cglos]|cols|len|seek|group|groupsize|offset)$/
const NUMBER = /^[-+]?(?:0x[\da-fA-F]+|\d+)$/
const KNOWN = /^-(?:[abCdEeipuv]|ps|plain|bits|postscript|[cglos][-+]?(?:0x[\da-fA-F]+|\d+))$/

/**
 * Why an xxd is not covered: it may write. Behind the first operand every word is a file, and the second is written; long
 * options may be cut, and have anything behind them, so that only those known here are taken.
 */
export function xxdProblem(argv: readonly Word[]): string | undefined {
  const values = argv.slice(1).map((word) => (word.kind === 'literal' ? word.value : undefined))
  let index = 0
  for (; values[index]?.startsWith('-') && values[index] !== '-'; index += 1) {
    const value = values[index] ?? ''
    if (VALUED.test(value) && NUMBER.test(values[index + 1] ?? '')) index += 1
    else if (!KNOWN.test(value)) return `xxd ${value} can write more than the rule says`
  }
  const isGlob = argv.slice(index + 1).some(({ kind }) => kind === 'glob')
  return isGlob || values.length - index > 1 ? 'xxd with two operands writes the second' : undefined
}
