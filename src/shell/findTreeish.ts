/** Where git takes files from: a commit, or only a tree, whose files would come out in other places than they were put. */
export type Treeish = {
  /** Which of the words, and where in it the name starts, behind `--source=` for instance. */
  readonly index: number
  readonly start: number
  /** No `--` says whether it is a path instead. */
  readonly isUnparted: boolean
}

/** Options that take no other word. */
const PLAIN =
  /^-(?:[qfmptdNl23]+|-(?:quiet|force|merge|ours|theirs|patch|(?:no-)?overlay|(?:no-)?progress|detach|(?:no-)?track|(?:no-)?guess|ignore-skip-worktree-bits|(?:no-)?recurse-submodules|mixed|soft|hard|keep|(?:no-)?refresh|intent-to-add|[a-z-]+=.*))$/s
/** They make a branch; beside paths git refuses them. */
const BRANCHING = /^-(?:[qft]*[bB].*|-orphan)$/s
const PATCHING = /^-(?:[a-z]*p[a-z]*|-patch)$/

/**
 * The words of `git checkout`, `git reset` and `git restore` that may name where files are taken from; `unknown` where an
 * option of another kind may have such a word for its value.
 */
export function findTreeish(subcommand: string, rest: readonly string[]): readonly Treeish[] | 'unknown' {
  const end = rest.indexOf('--')
  const before = end < 0 ? rest : rest.slice(0, end)
  if (subcommand === 'restore') return before.flatMap((word, index) => sourceOf(word, index))
  if (subcommand !== 'checkout' && subcommand !== 'reset') return []
  const options = before.filter(isOption)
  const operands = before.length - options.length
  const isPatch = options.some((option) => PATCHING.test(option))
  const takesPaths = end >= 0 || operands > 1 || isPatch
  if (!takesPaths || operands === 0) return []
  const others = options.filter((option) => !PLAIN.test(option))
  if (others.length > 0) return others.every((option) => BRANCHING.test(option)) ? [] : 'unknown'
  return [{ index: before.findIndex((word) => !isOption(word)), start: 0, isUnparted: end < 0 }]
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

function sourceOf(word: string, index: number): readonly Treeish[] {
  const [option] = /^(?:--so\w*=|-[a-zA-Z23]*?s)/.exec(word) ?? []
  if (option !== undefined && option.length < word.length) return [{ index, start: option.length, isUnparted: false }]
  const isApart = option?.endsWith('s') || /^--so\w*$/.test(word)
  return isApart ? [{ index: index + 1, start: 0, isUnparted: false }] : []
}

/** True for a name that only a commit can have, or a parent of one. Behind `@{…}` git reads `^{commit}` as a part of the date. */
export function isCommit(name: string): boolean {
  return /^(?:HEAD|@|-)$|^:\/|^(?!.*@\{).*\^\{commit\}$|[~^]\d*$/s.test(name)
}
