import type { Word } from '../contracts/subject.ts'
import { findSubcommand } from './gitProblem.ts'

const WITH_MESSAGE = new Set(['commit', 'tag', 'merge', 'notes', 'stash'])

/** Take nothing but paths behind `--`. */
const WITH_PATHS = new Set(
  'add diff log show checkout restore rm blame ls-files reset commit grep status whatchanged shortlog'.split(' '),
)

/** Take nothing but revisions and paths behind `--end-of-options`. */
const WITH_REVISIONS = new Set('log diff show rev-list shortlog'.split(' '))

/** What asks for no value in the next word, in whichever subcommand: what is no option, and plain flags. */
const COMPLETE = new RegExp(
  '^(?!-)|=|^-(?:\\d+|U\\d+)$|^--(?:all|stat|cached|staged|name-only|name-status|oneline|patch|quiet|verbose|follow|amend|' +
    'allow-empty|signoff|numstat|shortstat|full-history|graph|reverse|merges|worktree|force|hard|soft|mixed|short|' +
    'porcelain|color|exit-code|update|intent-to-add|ignore-errors|dry-run|recursive|ours|theirs|ff|ff-only|annotate|' +
    'include-untracked|keep-index|no-(?:edit|verify|ff|commit|gpg-sign|color|index|renames|patch|textconv|ext-diff))$',
)

/** Short options without a value. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['commit', 'aeinpqsSvz'],
  ['tag', 'afs'],
  ['stash', 'akpquS'],
  ['merge', 'enqv'],
  ['add', 'Afinpuv'],
  ['rm', 'fnqr'],
  ['checkout', 'fpq'],
  ['restore', 'pqSW'],
  ['reset', 'Npq'],
  ['grep', 'aEFGhHiIlLnoPqrvwz'],
  ['ls-files', 'cdimostuvz'],
  ['status', 'bsvz'],
  ...['diff', 'log', 'show', 'whatchanged'].map((name): [string, string] => [name, 'abcipquwz']),
])

/** True for a word of a git command that is no option, or no other than its literal beginning says, whatever it is. */
export function isPlainGitWord(argv: readonly Word[], index: number): boolean {
  const word = argv[index]
  if (argv[0]?.kind !== 'literal' || argv[0].value !== 'git' || word === undefined) return false
  if (isSpelt(word) || isText(argv, index)) return true
  const { subcommand = '' } = findSubcommand(argv)
  const last = findEnd(argv, '--end-of-options')
  if (last >= 0 && index > last && WITH_REVISIONS.has(subcommand)) return true
  const end = findEnd(argv, '--')
  if (end < 0 || index <= end || !WITH_PATHS.has(subcommand)) return false
  // An old form of blame has the revision behind the path
  return subcommand !== 'blame' || (word.kind === 'dynamic' && argv.length === end + 2)
}

/** `--since="$(date)"` */
function isSpelt(word: Word): boolean {
  return word.kind === 'dynamic' && /^--[a-z][a-z-]*=/.test(word.prefix ?? '')
}

/** The text behind `-m`. */
function isText(argv: readonly Word[], index: number): boolean {
  const { subcommand = '' } = findSubcommand(argv)
  return argv[index]?.kind === 'dynamic' && WITH_MESSAGE.has(subcommand) && isTaker(argv, index - 1)
}

/** A `-m` that is no value itself. */
function isTaker(argv: readonly Word[], index: number): boolean {
  const word = argv[index]
  return word?.kind === 'literal' && /^(?:-a?m|--message)$/.test(word.value) && isComplete(argv, index - 1)
}

/** The first of these words where it is no value. */
function findEnd(argv: readonly Word[], text: '--' | '--end-of-options'): number {
  const end = argv.findIndex((word) => word.kind === 'literal' && word.value === text)
  return end > 0 && isComplete(argv, end - 1) ? end : -1
}

/** The word before asks for no value: it is a flag, a value, or has its value with it. */
function isComplete(argv: readonly Word[], index: number): boolean {
  const word = argv[index]
  if (word === undefined) return false
  if (word.kind === 'literal') return isFlag(argv, word.value) || isTaker(argv, index - 1)
  return isSpelt(word) || isText(argv, index) || !/^$|^-/.test(word.kind === 'glob' ? word.value : (word.prefix ?? ''))
}

function isFlag(argv: readonly Word[], value: string): boolean {
  if (COMPLETE.test(value)) return true
  const letters = LETTERS.get(findSubcommand(argv).subcommand ?? '') ?? ''
  return /^-\w/.test(value) && [...value.slice(1)].every((letter) => letters.includes(letter))
}
