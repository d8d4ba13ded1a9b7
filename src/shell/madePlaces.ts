import type { PathForms, Word } from '../contracts/subject.ts'
import { inside, readCopy } from './copyOperands.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { gitOperands } from './gitOperands.ts'
import { findSubcommand } from './gitProblem.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'
import { type SortedWords, sortWords } from './sortWords.ts'
import { wrapperKind } from './wrappers.ts'

/**
 * A place that a command makes, and behind which something else may stand afterwards than what is on disk before. Without a
 * path it may be anywhere. `isLink`: the place itself may lead elsewhere, else only what lies below it.
 */
export type MadePlace = { readonly path?: FileOperand; readonly isLink: boolean }

const ANYWHERE: readonly MadePlace[] = [{ isLink: true }]

const COPIES = new Set('cp mv ln link rsync scp'.split(' '))
const UNPACKERS = new Set('tar bsdtar cpio unzip 7z unrar unar ar patch lndir stow rclone . source'.split(' '))

/** They bring files from elsewhere, links among them. */
const CONTAINERS = new Set('docker podman nerdctl kubectl oc'.split(' '))
const VERSIONED = new Set('gh glab hub hg svn jj sl bzr fossil cvs p4'.split(' '))
const BRINGING =
  /^(?:cp|clone|checkout|co|update|up|switch|sw|pull|merge|revert|import|rebase|graft|unshelve|export|sync)$/

/** Where links or folders may come to stand when a command runs. */
export function madePlaces(
  name: string,
  argv: readonly Word[],
  resolve: (path: string) => PathForms,
): readonly MadePlace[] {
  if (name === 'git') return madeByGit(argv, resolve)
  const bringing = VERSIONED.has(name) ? BRINGING : CONTAINERS.has(name) ? /^cp$/ : undefined
  if (bringing && argv.some((word) => isWord(word, bringing))) return ANYWHERE
  if (UNPACKERS.has(name) || wrapperKind(name) === 'script') return ANYWHERE
  return COPIES.has(name) ? madeByCopy(name, sortWords(argv), resolve) : []
}

function madeByCopy(name: string, words: SortedWords, resolve: (path: string) => PathForms): readonly MadePlace[] {
  const { sources, target, isInto, isLinking, isDeep } = readCopy(name, words)
  const keepsLinks = words.options.some((option) => hasShortOption(option, 'dP') || /^--(?:no-d|pres)/.test(option))
  if (target === undefined || !(isLinking || isDeep || keepsLinks)) return []
  const isLink = isLinking || sources.some((word) => word.kind !== 'literal' || leadsElsewhere(resolve(word.value)))
  // rsync takes what `src/` holds without the folder.
  const files = [...(isInto && name !== 'rsync' ? [] : fileOf(target, 'write')), ...inside(target, sources, false)]
  const unknown = target.kind === 'literal' ? [] : fileOf(target, 'write')
  return [...files, ...unknown].map((path) => ({ path, isLink }))
}

function leadsElsewhere({ lexical, resolved, physical }: PathForms): boolean {
  return resolved !== lexical || physical !== lexical
}

const CHECKOUTS = new Set('checkout switch restore'.split(' '))
const CHANGERS = new Set(
  'stash pull merge rebase cherry-pick revert apply am read-tree submodule checkout-index bisect sparse-checkout'.split(
    ' ',
  ),
)

/** git brings links from other commits. */
function madeByGit(argv: readonly Word[], resolve: (path: string) => PathForms): readonly MadePlace[] {
  const { subcommand = '', rest } = findSubcommand(argv)
  const words = sortWords([{ kind: 'literal', value: subcommand }, ...rest])
  const { operands, options } = words
  if (subcommand === 'mv') return madeByCopy('mv', words, resolve)
  if (subcommand === 'clone' || subcommand === 'init')
    return gitOperands(argv)
      .filter(isWritten)
      .map((path) => ({ path, isLink: false }))
  if (subcommand === 'submodule' && isWord(operands[0], /^(?:status|summary|init|sync)$/)) return []
  if (subcommand === 'worktree') return operands.slice(1).flatMap((word) => asTree(word))
  if (subcommand === 'stash') return isWord(operands[0], /^(?:list|show|drop|clear|create)$/) ? [] : ANYWHERE
  if (subcommand === 'reset') return options.some((option) => /^--(?:h|k|mer)/.test(option)) ? ANYWHERE : []
  if (CHANGERS.has(subcommand)) return ANYWHERE
  if (!CHECKOUTS.has(subcommand)) return []
  const isNew =
    operands.length === 1 && options.some((option) => hasShortOption(option, 'bBcC') || isLongOption(option, 'create'))
  if (isNew || (subcommand === 'restore' && isIndexOnly(options))) return []
  const end = rest.findIndex((word) => isWord(word, /^--$/))
  const named = subcommand === 'restore' ? operands : rest.slice(end + 1)
  if (subcommand !== 'restore' && end < 0) return ANYWHERE
  return named.flatMap((word) => fileOf(word, 'write')).map((path) => ({ path, isLink: true }))
}

/** `git restore --staged x` leaves the work tree alone. */
function isIndexOnly(options: readonly string[]): boolean {
  const isWorktree = options.some((option) => hasShortOption(option, 'W', 's') || isLongOption(option, 'worktree'))
  return !isWorktree && options.some((option) => hasShortOption(option, 'S', 's') || option === '--staged')
}

function isWritten({ access }: FileOperand): boolean {
  return access === 'write'
}

function asTree(word: Word): MadePlace[] {
  return fileOf(word, 'write').map((path) => ({ path, isLink: false }))
}

function isWord(word: Word | undefined, text: RegExp): boolean {
  return word?.kind === 'literal' && text.test(word.value)
}
