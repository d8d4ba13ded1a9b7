import type { Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { findSubcommand } from './gitProblem.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'
import { sortWords } from './sortWords.ts'

/** Show names, states or histories, never what a file holds. */
const NAMELESS = new Set(
  (
    'status ls-files ls-tree check-ignore check-attr rev-parse rev-list branch remote fetch push pull rebase cherry-pick ' +
    'revert describe shortlog clone init for-each-ref show-ref merge-base name-rev config switch bisect sparse-checkout'
  ).split(' '),
)

/** Change the files that they name. */
const WRITING = new Set('checkout restore rm mv clean reset worktree merge-file checkout-index'.split(' '))

/** Take whole folders away, or put one anywhere. */
const REMOVING = new Set('rm mv clean worktree'.split(' '))

/** Never look behind a link in the work tree: what they name is what git itself keeps. */
const TRACKED = new Set('add commit stash checkout switch restore rm reset tag merge show log notes'.split(' '))

/** Change the files that a patch names. */
const APPLYING = new Set('apply am'.split(' '))

/** A word that is known only when it runs is a message or a revision there. */
const TEXTS = new Set('commit tag merge notes stash log diff'.split(' '))

/** What it is told by its input. */
const ANY_FILE: FileOperand = { access: 'read', path: '**', isPattern: true }

/** The files that a git command names, also behind a revision: `HEAD:conf/key`. */
export function gitOperands(argv: readonly Word[]): readonly FileOperand[] {
  const { subcommand, rest } = findSubcommand(argv)
  if (subcommand === undefined) return []
  const { operands, options, values, next } = sortWords([{ kind: 'literal', value: subcommand }, ...rest])
  const given = options.flatMap((option, index) => {
    if (/^--(?:batch(?!-c)|stdin)/.test(option)) return [ANY_FILE]
    if (option.startsWith('-L')) return filesOfRange(option === '-L' ? next[index] : { kind: 'literal', value: option })
    const word = next[index]
    const [, attached] = /^-\w*F([\s\S]+)$/.exec(option) ?? []
    if (attached !== undefined) return fileOf({ kind: 'literal', value: attached }, 'read')
    return word !== undefined && isFileOption(option) ? fileOf(word, 'read') : []
  })
  const attached = values.map((path): FileOperand => ({ access: 'read', path, isPattern: false }))
  if (subcommand === 'config' && showsSecrets(rest)) {
    return [...given, ...attached, { access: 'read', path: '.git/config', isPattern: false }]
  }
  if (NAMELESS.has(subcommand)) return [...given, ...attached]
  if (APPLYING.has(subcommand)) given.push({ access: 'write', path: '**', isPattern: true })
  const access = WRITING.has(subcommand) ? 'write' : 'read'
  const isGrep = subcommand === 'grep' && !options.some((option) => hasShortOption(option, 'ef'))
  const isText = (word: Word): boolean => word.kind === 'dynamic' && !word.patterns && TEXTS.has(subcommand)
  const files = (isGrep ? operands.slice(1) : operands).filter((word) => !isText(word))
  const isTracked = TRACKED.has(subcommand)
  const kinds: readonly FileOperand['access'][] = subcommand === 'mv' ? ['read', 'write'] : [access]
  const named = files
    .flatMap(pathsOf)
    .flatMap((word) => kinds.flatMap((kind) => fileOf(word, kind, REMOVING.has(subcommand))))
  return [...named.map((file): FileOperand => ({ ...file, isGuess: true, isTracked })), ...given, ...attached]
}

/** Settings that may hold a token: a header, an address with a password, or all of them. */
function showsSecrets(rest: readonly Word[]): boolean {
  const keys = rest.map((word) => (word.kind === 'literal' ? word.value : ''))
  return keys.some((key) =>
    /^(?:-l|--l[a-z]*|list|--get-[ru][a-z]*|--r[a-z]*)$|^(?:http|url|credential|remote\.[^.]*\.push)|^$/i.test(key),
  )
}

/** `x` of `git log -L1,9:x`. */
function filesOfRange(word: Word | undefined): FileOperand[] {
  if (word === undefined) return []
  return (word.kind === 'literal' ? endsOf(word.value) : [word]).flatMap((each) => fileOf(each, 'read'))
}

/** A word, and what follows a colon: of `HEAD:x` and `:(top)x` the path is `x`; a revision may hold colons of its own. */
function pathsOf(word: Word): readonly Word[] {
  if (word.kind !== 'literal') return [word]
  if (word.value.length > 255) return []
  if (word.value.includes(':')) return endsOf(word.value)
  return /\s/.test(word.value) ? [] : [word]
}

function endsOf(value: string): readonly Word[] {
  const ends = [...value.matchAll(/:/g)].slice(0, MOST_COLONS).map(({ index }) => value.slice(index + 1))
  return ends.flatMap((end) => {
    const path = end.replace(/^(?:\([^)]*\)|[/!^]+)/, '')
    return [...new Set([end, path])]
      .filter((each) => each !== '')
      .map((each): Word => ({ kind: 'literal', value: each }))
  })
}

const MOST_COLONS = 20

function isFileOption(option: string): boolean {
  const names = ['file', 'contents', 'ignore-revs-file', 'pathspec-from-file', 'exclude-from', 'template']
  return /^-\w*F$/.test(option) || names.some((name) => option.length > 3 && isLongOption(option, name))
}
