import { RunError } from '../contracts/errors.ts'
import { type ForeignFlag, findForeignFlag } from './foreignFlags.ts'

/** A command line with kode-run's own flags, and warnings about flags without effect. */
export type Translated = { readonly words: readonly string[]; readonly warnings: readonly string[] }

/**
 * Replaces flags of other agents with kode-run's own, and removes those that are not needed. A refused flag throws
 * `usage` with the alternative. Flags for which `isOwn` is true are left alone.
 */
export function translateForeign(argv: readonly string[], isOwn: (name: string) => boolean): Translated {
  const words: string[] = []
  const warnings: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word === '--') return { words: [...words, ...argv.slice(at)], warnings }
    const [, dashes = '', name = '', assigned] = /^(--?)([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? []
    const flag = name === '' || isOwn(name) ? undefined : findForeignFlag(name)
    if (flag === undefined) {
      words.push(word)
      continue
    }
    const takesNext = assigned === undefined && (flag.value !== undefined || flag.optional?.test(argv[at + 1] ?? ''))
    const instead = replacement(flag, flag.value === undefined ? (assigned ?? '') : (assigned ?? argv[at + 1] ?? ''))
    if (instead === undefined || (flag.notBefore?.test(argv[at + 1] ?? '') ?? false))
      throw new RunError('usage', `${dashes}${name}: ${flag.advice}`)
    if (instead.length === 0) warnings.push(`${dashes}${name} has no effect: ${flag.advice}`)
    words.push(...instead)
    if (takesNext) at++
  }
  return { words, warnings }
}

function replacement({ replacements = {} }: ForeignFlag, value: string): readonly string[] | undefined {
  return Object.hasOwn(replacements, value) ? replacements[value] : replacements['*']
}
