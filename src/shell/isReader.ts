import type { CommandLink } from '../contracts/subject.ts'
import { isGitReader } from './gitProblem.ts'

const READERS = new Set(
  'ls cat head tail wc grep egrep fgrep rg find cut sort uniq echo pwd cd true false test [ : exit break continue set wait'.split(
    ' ',
  ),
)

/** True for a chain that ends in a known reader and has nothing against it. */
export function isReader(chain: readonly CommandLink[]): boolean {
  if (chain.some((link) => link.cover !== 'free' && link.cover !== 'prefix')) return false
  const argv = chain.at(-1)?.argv ?? []
  const first = argv[0]
  if (first?.kind !== 'literal') return false
  if (first.value === 'command') return chain.length === 1
  return READERS.has(first.value) || (first.value === 'git' && isGitReader(argv))
}
