import { findTreeish, isCommit } from './findTreeish.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'

/** Put objects, references or the index together from words and input, or copy them into files. */
const FORGING = new Set(
  (
    'read-tree mktree mktag unpack-objects unpack-file commit-tree update-ref subtree fast-import filter-branch bundle ' +
    'checkout-index index-pack merge-index merge-one-file'
  ).split(' '),
)

/** What only refreshes the index, sets a flag in it or adds what lies on disk. */
const INDEX_FLAG =
  /^(?:-q|-v|--verbose|--refresh|--really-refresh|--unmerged|--ignore-(?:missing|submodules)|--(?:no-)?assume-unchanged|--(?:no-)?skip-worktree|--chmod=[+-]x|--add|--remove|--)$/

/** A reference that stands for another object, or a whole class of them that may hold such. */
const REPLACING = /:refs\/(?:replace(?:\/|$)|[^/]*\*)/

const CHECKOUTS = new Set('checkout switch restore reset'.split(' '))
const MERGERS = new Set('merge pull rebase cherry-pick revert'.split(' '))
const STRATEGIES = new Set('recursive resolve octopus ours'.split(' '))
const SUBMODULE = /^(?:status|summary|init|update|sync|deinit|absorbgitdirs|--quiet|-q|--cached)$/

const TRANSFERS = new Set('push fetch pull'.split(' '))

/**
 * Why a git command may bring files to places that its words do not name: it makes trees, commits or an index that nobody
 * wrote as files, or puts a tree of one folder into another. A NUL in a word stands for what is not known of it.
 */
export function forgingProblem(subcommand: string, rest: readonly string[]): string | undefined {
  if (FORGING.has(subcommand) || isForging(subcommand, rest)) {
    return `git ${subcommand} can put any content under any name into the index, the history or the work tree`
  }
  if (rest.some((value) => REPLACING.test(value)) || (TRANSFERS.has(subcommand) && mayReplace(subcommand, rest))) {
    return 'git references that may replace other objects'
  }
  if (CHECKOUTS.has(subcommand) && isFolderNamed(subcommand, beforeDashes(rest), rest.length)) {
    return `git ${subcommand} of a folder of a commit puts its files elsewhere`
  }
  const treeish = treeishProblem(subcommand, rest)
  if (treeish !== undefined) return treeish
  return MERGERS.has(subcommand) ? mergeProblem(subcommand, rest) : undefined
}

/** A tag, or a hash, may be that of a folder. */
function treeishProblem(subcommand: string, rest: readonly string[]): string | undefined {
  const found = findTreeish(subcommand, rest)
  if (found === 'unknown') return `git ${subcommand} with options beside which it is not known what is a path`
  const other = found.map(({ index, start }) => rest[index]?.slice(start) ?? '').find((name) => !isCommit(name))
  if (other === undefined) return undefined
  return `git ${subcommand} from ${other} may take a folder of a commit; write ${other}^0 and \`--\` before paths`
}

/** What is not known may name both ends; what another machine gets does not matter here. */
function mayReplace(subcommand: string, rest: readonly string[]): boolean {
  if (subcommand === 'push' && !rest.includes('.')) return false
  return rest.some((value) => /^(?!--).*\0|^--std/s.test(value))
}

function isFolderNamed(subcommand: string, before: readonly string[], count: number): boolean {
  if (before.some(isFolderOfCommit)) return true
  const first = before.findIndex((value) => !value.startsWith('-'))
  if (subcommand !== 'restore') {
    const isNew = before.some((value) => /^-[bBcC]$/.test(value))
    return !isNew && count - first > 1 && before[first]?.includes('\0') === true
  }
  return before.some(
    (value, index) =>
      value.includes('\0') && /^--so[a-z]*=|\n-\w*s$|\n--so/.test(`${value}\n${before[index - 1] ?? ''}`),
  )
}

function isForging(subcommand: string, rest: readonly string[]): boolean {
  const options = rest.filter((value) => value.startsWith('-'))
  switch (subcommand) {
    case 'update-index':
      return !options.every((value) => INDEX_FLAG.test(value))
    case 'hash-object':
      return options.some((value) => hasShortOption(value, 't') || isLongOption(value, 'literally'))
    case 'replace':
      return !rest.every((value) => /^(?:-l|--list|--format=\w+)$/.test(value))
    case 'symbolic-ref':
      return rest.length - options.length > 1 || !options.every((value) => /^(?:-q|--quiet|--short)$/.test(value))
    case 'submodule':
      return rest.length > 0 && !SUBMODULE.test(rest[0] ?? '') && rest[0] !== 'foreach'
    case 'init':
    case 'clone':
      return options.some((value) => isLongOption(value, 'bare') || isLongOption(value, 'mirror'))
    default:
      return false
  }
}

function beforeDashes(rest: readonly string[]): readonly string[] {
  const end = rest.indexOf('--')
  return end < 0 ? rest : rest.slice(0, end)
}

/** `HEAD:src`, also behind an option; a date in `@{…}` may hold colons, and `:x` or `:(top)x` is a path. */
function isFolderOfCommit(value: string): boolean {
  return /^[^:]+:/.test(value.replace(/[@^]\{[^}]*\}/g, '@'))
}

/**
 * A strategy is a program, but for git's own; `subtree` moves what it merges into another folder, and `ort`, named by
 * itself, follows renames before git 2.50. So does a rebase that has options for a strategy and names none.
 */
function mergeProblem(subcommand: string, rest: readonly string[]): string | undefined {
  const isUnsure = rest.some(
    (value, index) =>
      value.includes('\0') && /^--strat|\n-\w*[sX]$|\n--strat/.test(`${value}\n${rest[index - 1] ?? ''}`),
  )
  if (isUnsure) return `git ${subcommand} with a strategy that is known only when it runs`
  if (rest.some((value) => /(?:^|=|^-\w*)subtree(?:=|$)/.test(value))) {
    return `git ${subcommand} with subtree puts files elsewhere`
  }
  const isFollowing = (value: string): boolean =>
    /(?:^|=|^-\w*)(?:find-ren|rename-thr)/.test(value) || isLongOption(value, 'autostash')
  if (rest.some(isFollowing)) {
    return `git ${subcommand} that follows renames puts changes into other files`
  }
  const isShort = subcommand === 'merge' || subcommand === 'pull' || subcommand === 'rebase'
  const chosen = rest.flatMap((value, index) => {
    const [, short] = (isShort && /^-[^-sXmSFC]*s(.*)$/.exec(value)) || []
    if (short !== undefined) return [short || rest[index + 1]]
    const isLong = isLongOption(value, 'strategy') && value.length > '--st'.length
    return isLong ? [value.includes('=') ? value.slice(value.indexOf('=') + 1) : rest[index + 1]] : []
  })
  const other = chosen.find((value) => !STRATEGIES.has(value ?? ''))
  if (other !== undefined) return `git ${subcommand} with the strategy ${other} can do more than merge`
  const isRebase = subcommand === 'rebase' || subcommand === 'pull'
  const isNamed = chosen.length > 0 && !rest.some((value) => isLongOption(value, 'no-strategy'))
  const option = isRebase && !isNamed ? rest.find(isForStrategy) : undefined
  if (option === undefined) return undefined
  return `git ${subcommand} ${option} follows renames and puts changes into other files (not with -s recursive)`
}

/** `-X ours`, and what rebase hands to the strategy by itself. */
function isForStrategy(value: string): boolean {
  const isLong = isLongOption(value, 'strategy-option') || isLongOption(value, 'ignore-whitespace')
  return /^-[^-sSmFCx]*X/.test(value) || (isLong && value.length > '--i'.length)
}
