import type { CommandLink } from '../contracts/subject.ts'
import { isGitReader } from './gitProblem.ts'
import { outputOperands } from './outputOptions.ts'

const READERS = new Set(
  'ls cat head tail wc grep egrep fgrep rg find cut sort uniq echo pwd cd true false test [ : exit break continue set wait'.split(
    ' ',
  ),
)

/** True for a chain that ends in a known reader and has nothing against it. */
export function isReader(chain: readonly CommandLink[]): boolean {
  if (chain.some((link) => link.cover !== 'free' && link.cover !== 'prefix')) return false
  const judged = chain.filter((link) => link.cover !== 'free')
  return (judged.length > 0 ? judged : chain.slice(-1)).every((link) => isReading(link, chain.length))
}

function isReading({ argv }: CommandLink, links: number): boolean {
  const first = argv[0]
  if (first?.kind !== 'literal') return false
  if (first.value === 'command') return links === 1
  if (outputOperands(first.value, argv).length > 0) return false
  return READERS.has(first.value) || (first.value === 'git' && isGitReader(argv))
}
