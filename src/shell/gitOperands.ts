import type { Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { findRepositories } from './findRepositories.ts'
import { compared } from './foundWords.ts'
import { findSubcommand } from './gitProblem.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'
import { sortWords } from './sortWords.ts'
import { UNCLEAR } from './speltWords.ts'

/** Show names, states or histories, never what a file holds. */
const NAMELESS = new Set(
  (
    'status ls-files ls-tree check-ignore check-attr rev-parse rev-list branch remote fetch push pull rebase cherry-pick ' +
    'revert describe shortlog for-each-ref show-ref merge-base name-rev config switch bisect sparse-checkout'
  ).split(' '),
)

/** Change the files that they name. */
const WRITING = new Set('checkout restore rm mv clean reset worktree clone init checkout-index'.split(' '))

/** Say what to do in their first word. */
const ACTING = new Set('worktree submodule stash notes'.split(' '))

/** Take whole folders away, or put one anywhere. */
const REMOVING = new Set('rm mv clean worktree clone init'.split(' '))

/** Never look behind a link in the work tree: what they name is what git itself keeps. */
const TRACKED = new Set('add commit stash checkout switch restore rm reset tag merge show log notes'.split(' '))

/** Change the files that a patch names. */
const APPLYING = new Set('apply am'.split(' '))

/** A word that is known only when it runs is a message there. */
const TEXTS = new Set('commit tag merge notes stash'.split(' '))

/** What the value of an option may name; any file, a protected one too, where nothing is known of it. */
function unknownValue(word: Word): readonly FileOperand[] {
  const { glued } = sortWords([word, word])
  if (glued.some((each) => each.kind === 'dynamic' && each.patterns))
    return glued.flatMap((each) => fileOf(each, 'read'))
  return [ANY_FILE, { access: 'read', path: '/', isPattern: false, found: UNCLEAR }]
}

/** What it is told by its input. */
const ANY_FILE: FileOperand = { access: 'read', path: '**', isPattern: true }

/** The files that a git command names, also behind a revision: `HEAD:conf/key`. */
export function gitOperands(argv: readonly Word[]): readonly FileOperand[] {
  const { subcommand, rest } = findSubcommand(argv)
  if (subcommand === undefined) return []
  const { operands, options, values, next } = sortWords([{ kind: 'literal', value: subcommand }, ...rest])
  const given = options.flatMap((option, index) => {
    if (/^--(?:batch(?!-ch)|stdin)/.test(option)) return [ANY_FILE]
    if (isLongOption(option, 'pathspec-from-file') && option.length > '--p'.length)
      return [{ ...ANY_FILE, access: WRITING.has(subcommand) ? 'write' : 'read' } as const]
    if (option.startsWith('-L')) return filesOfRange(option === '-L' ? next[index] : { kind: 'literal', value: option })
    const word = next[index]
    const [, attached] = /^-\w*F([\s\S]+)$/.exec(option) ?? []
    if (attached !== undefined) return fileOf({ kind: 'literal', value: attached }, 'read')
    return word !== undefined && isFileOption(subcommand, option) ? fileOf(word, 'read') : []
  })
  const unknown = operands.flatMap((word) =>
    isOption(word) && !HARMLESS_VALUE.test(word.prefix ?? '') ? unknownValue(word) : [],
  )
  const others = [
    ...given,
    ...unknown,
    ...values.map((path): FileOperand => ({ access: 'read', path, isPattern: false })),
  ]
  if (showsSettings(subcommand, rest)) return [...others, { access: 'read', path: '.git/config', isPattern: false }]
  if (NAMELESS.has(subcommand)) return others
  if (APPLYING.has(subcommand)) others.push({ access: 'write', path: '**', isPattern: true })
  const isGrep = subcommand === 'grep' && !options.some((option) => hasShortOption(option, 'ef'))
  const end = rest.findIndex((word) => word.kind === 'literal' && word.value === '--')
  const paths = new Set(end < 0 ? [] : rest.slice(end + 1))
  const isText = (word: Word): boolean =>
    word.kind === 'dynamic' &&
    !word.patterns &&
    !paths.has(word) &&
    (TEXTS.has(subcommand) || isRevision(subcommand, word))
  const files = (isGrep || ACTING.has(subcommand) ? operands.slice(1) : operands).filter(
    (word) => !isText(word) && !isOption(word),
  )
  // What is only left out is left out of all there is.
  const all: readonly Word[] = files.some((word) => word.kind === 'literal' && EXCLUDED.test(word.value))
    ? [{ kind: 'literal', value: '.' }]
    : []
  if (options.some((option) => isLongOption(option, 'no-index'))) {
    return [...files.flatMap((word) => fileOf(compared(word), 'read')), ...others]
  }
  const isTree = REMOVING.has(subcommand) || (TAKING.has(subcommand) && takesFrom(subcommand, rest))
  const kinds = kindsOf(subcommand, options)
  const places = boundPathspecs(subcommand === 'clone' ? cloneTargets(argv) : [...files.flatMap(pathsOf), ...all])
  const named = places.flatMap((word) => kinds.flatMap((kind) => fileOf(word, kind, isTree && !isPathspec(word))))
  const isTracked = TRACKED.has(subcommand)
  return [...named.map((file): FileOperand => ({ ...file, isGuess: true, isTracked })), ...others]
}

/** What it does with the files it names. */
function kindsOf(subcommand: string, options: readonly string[]): readonly FileOperand['access'][] {
  if (subcommand === 'mv') return ['read', 'write']
  const isPrinting = options.some((option) => hasShortOption(option, 'p', 'L') || isLongOption(option, 'stdout'))
  if (subcommand === 'merge-file') return isPrinting ? ['read'] : ['read', 'write']
  return [WRITING.has(subcommand) ? 'write' : 'read']
}

/** Bring files from another commit where one is named. */
const TAKING = new Set('checkout restore reset'.split(' '))

/** Where the index or the current commit is the source, only what was there comes back. */
function takesFrom(subcommand: string, rest: readonly Word[]): boolean {
  const texts = rest.map((word) => (word.kind === 'literal' ? word.value : '*'))
  const end = texts.indexOf('--')
  const before = end < 0 ? texts : texts.slice(0, end)
  const [first] = before.filter((text) => !text.startsWith('-'))
  const isFirst = end >= 0 || before.length > 1
  const source =
    subcommand === 'restore'
      ? before.flatMap((text, index) => {
          const [, value] = /^(?:-[A-Zpq]*s|--so[a-z]*=?)(.*)$/.exec(text) ?? []
          return value === undefined ? [] : [value || before[index + 1]]
        })[0]
      : isFirst
        ? first
        : undefined
  return source !== undefined && !/^(?:HEAD|@)$/.test(source)
}

/** `HEAD~$n` of a log, `"$(git describe)..HEAD"`: no path looks like it. */
function isRevision(subcommand: string, { prefix = '', suffix = '' }: Extract<Word, { kind: 'dynamic' }>): boolean {
  if (subcommand === 'log' && /^(?:HEAD|@)[~^]/.test(prefix)) return true
  if (subcommand !== 'log' && subcommand !== 'diff') return false
  return /^[^/:]*[^/:.]\.\.\.?$/.test(prefix) || /^\.\.\.?[^/:.][^:]*$/.test(suffix)
}

/** `--since="$(date)"`: an option of which the value is known only when it runs. */
function isOption(word: Word): word is Extract<Word, { kind: 'dynamic' }> {
  return word.kind === 'dynamic' && /^--[a-z][a-z-]*=/.test(word.prefix ?? '')
}

const HARMLESS_VALUE =
  /^--(?:since|until|after|before|author|committer|grep|format|pretty|date|max-count|skip|message|trailer|depth|branch)=/

/** The folder that is named, else the one that the address ends with. */
function cloneTargets(argv: readonly Word[]): readonly Word[] {
  const [from, ...targets] = findRepositories(argv).operands
  if (targets.length > 0 || from?.kind !== 'literal')
    return from === undefined ? [] : [...targets, ...(targets.length > 0 ? [] : [from])]
  // Blanks and control characters it drops or joins.
  if (/\s|[^ -~]/.test(from.value)) return [{ kind: 'dynamic' }]
  const base = from.value
    .replace(/\/*(?:\.git|\.bundle)?\/*$/, '')
    .split(/[/:]/)
    .at(-1)
  return base ? [{ kind: 'literal', value: base }] : []
}

/** Settings without a token in them: all that is called otherwise may hold one. */
const PLAIN_SETTING = new RegExp(
  '^(?:(?:user|init|pull|push|commit|tag|diff|merge|color|column|format|log|status|fetch|rebase|help|i18n|rerere|pack|gc|' +
    'index|feature|extensions|advice|stash|blame|grep|branch|submodule)(?:\\..*)?\\.[a-z0-9-]+|' +
    'core\\.(?!.*(?:command|pager|editor|askpass|proxy|fsmonitor))[a-z0-9-]+|remote\\..+\\.(?:url|fetch|pushurl))$',
  'i',
)

/** What shows settings but for some that are known to hold no token. */
function showsSettings(subcommand: string, rest: readonly Word[]): boolean {
  const texts = rest.map((word) => (word.kind === 'literal' ? word.value : ''))
  if (subcommand === 'var') return texts.some((text) => text.startsWith('-l'))
  if (subcommand !== 'config') return false
  if (texts.some((text) => /^(?:-l|--l[a-z]*|list|--get-[ruc][a-z]*|--r[a-z]*|--d[a-z]*|--ty[a-z]*)$/.test(text)))
    return true
  const [first, second] = texts.filter((text) => !text.startsWith('-'))
  return !PLAIN_SETTING.test((first === 'get' ? second : first) ?? '')
}

/** `x` of `git log -L1,9:x`. */
function filesOfRange(word: Word | undefined): FileOperand[] {
  if (word === undefined) return []
  return (word.kind === 'literal' ? endsOf(word.value) : [word]).flatMap((each) => fileOf(each, 'read'))
}

/** `:!x` and `:(exclude)x` leave out. */
const EXCLUDED = /^:(?:[!^]|\([a-z,]*exclude[a-z,]*\))/

/** A word, and what follows a colon: of `HEAD:x` and `:(top)x` the path is `x`; a revision may hold colons of its own. */
function pathsOf(word: Word): readonly Word[] {
  if (word.kind === 'dynamic' && word.patterns) return word.patterns.flatMap((pattern) => pathsOfPattern(word, pattern))
  if (word.kind !== 'literal') return [word]
  if (word.value.length > 255 || EXCLUDED.test(word.value)) return []
  if (/^:(?:\([^)]*\)|[/]*)$/.test(word.value)) return [{ kind: 'literal', value: '.' }]
  if (word.value.includes(':')) return endsOf(word.value)
  return /\s/.test(word.value) ? [] : [pathspecOf(word.value)]
}

/** One of the texts that a word may be: without a wildcard it is known. */
function pathsOfPattern(word: Word, pattern: string): readonly Word[] {
  if (!/[*?[]/.test(pattern)) return pathsOf({ kind: 'literal', value: pattern })
  return pattern.includes(':') ? [{ kind: 'dynamic' }] : [{ ...word, kind: 'dynamic', patterns: [pattern] }]
}

/** A pattern that git reads itself: any file on disk that it fits or that lies below, its stars go over slashes. */
function pathspecOf(value: string): Word {
  if (!/[*?[\\]/.test(value)) return { kind: 'literal', value }
  const spec = value.replace(/\\./g, '?')
  const folder = /^(?:[^*?[/]+\/)*/.exec(spec)?.[0] ?? ''
  const names = [...new Set([spec, spec.replaceAll('**/', '')])].flatMap((each) => [each, `${each}/*`])
  return { kind: 'glob', value, found: { starts: [folder || '.'], names, isPicked: true, isBare: true } }
}

function isPathspec(word: Word): boolean {
  return word.kind === 'glob' && word.found !== undefined
}

/** Each pathspec is a look at all names: where there are many of them they are any file. */
function boundPathspecs(words: readonly Word[]): readonly Word[] {
  if (words.filter(isPathspec).length <= MOST_PATHSPECS) return words
  return [...words.filter((word) => !isPathspec(word)), { kind: 'dynamic' }]
}

const MOST_PATHSPECS = 16

function endsOf(value: string): readonly Word[] {
  const ends = [...value.matchAll(/:/g)].slice(0, MOST_COLONS).map(({ index }) => value.slice(index + 1))
  return ends.flatMap((end) => {
    const path = end.replace(/^(?:\([^)]*\)|[/!^]+)/, '')
    return [...new Set([end, path])].filter((each) => each !== '').map(pathspecOf)
  })
}

const MOST_COLONS = 20

function isFileOption(subcommand: string, option: string): boolean {
  const names = ['file', 'contents', 'ignore-revs-file', 'pathspec-from-file', 'exclude-from', 'template']
  return (
    (subcommand === 'ls-files' ? /^-\w*X$/ : /^-\w*F$/).test(option) ||
    names.some((name) => option.length > 3 && isLongOption(option, name))
  )
}
