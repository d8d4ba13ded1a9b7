import { findTreeish, isCommit } from './findTreeish.ts'
import { findSubcommand } from './gitProblem.ts'
import { quoteWord } from './quoteWord.ts'
import type { ReadWord } from './readWord.ts'
import { isOnDisk, type Walk } from './walk.ts'

/**
 * Git takes files from commits only: `git checkout main x` runs as `git checkout main^0 -- x`, for a tag or a hash
 * may be that of a folder, whose files would come out in the root. What is there on disk is a path.
 */
export function pinRevision(words: ReadWord[] | undefined, walk: Walk): ReadWord[] | undefined {
  const [first] = words ?? []
  if (words === undefined || first?.word.kind !== 'literal' || first.word.value !== 'git') return words
  const argv = words.map(({ word }) => word)
  const { subcommand = '', rest } = findSubcommand(argv)
  const found = findTreeish(
    subcommand,
    rest.map((word) => (word.kind === 'literal' ? word.value : '')),
  )
  if (found === 'unknown') return words
  const pinned = [...words]
  for (const { index, start, isUnparted } of found) {
    const at = words.length - rest.length + index
    const each = words[at]
    if (each?.word.kind !== 'literal' || each.isVariable) continue
    const { value } = each.word
    const isPath = isUnparted && isOnDisk(value, walk)
    const commit = isPath || isCommit(value.slice(start)) ? value : `${value}^0`
    const runsAs = isPath ? ['--', value] : isUnparted ? [commit, '--'] : [commit]
    pinned[at] = { ...each, word: { ...each.word, runsAs }, emission: runsAs.map(quoteWord).join(' ') }
  }
  return pinned
}
