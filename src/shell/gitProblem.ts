import type { Word } from '../contracts/subject.ts'
import { forgingProblem } from './forgingProblem.ts'
import { gitOptions } from './gitOptions.ts'
import { isHarmlessOption, unlisted } from './isHarmlessOption.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'

/** Global options that change nothing but what is shown. */
const HARMLESS_GLOBAL = ['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs']

/** Options that take in files which git ignores: `.env` among them, which the next diff shows. */
const IGNORED: ReadonlyMap<string, (option: string) => boolean> = new Map([
  ['add', (option) => isLongOption(option, 'force') || hasShortOption(option, 'f')],
  ['stage', (option) => isLongOption(option, 'force') || hasShortOption(option, 'f')],
  ['stash', (option) => isLongOption(option, 'all') || hasShortOption(option, 'a', 'm')],
  ['grep', (option) => isLongOption(option, 'no-exclude-standard')],
])

/**
 * Subcommands that by themselves run no program of the words' or the configuration's choice. Any other may be an alias, a
 * program `git-…` on PATH, or one of git's own that does.
 */
const KNOWN = new Set(
  (
    'add am annotate apply archive blame branch cat-file check-attr check-ignore check-mailmap check-ref-format checkout ' +
    'cherry cherry-pick clean clone column commit commit-graph config count-objects describe diff diff-files ' +
    'diff-index diff-tree fast-export fetch fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id grep ' +
    'hash-object init interpret-trailers log ls-files ls-remote ls-tree merge merge-base merge-tree ' +
    'multi-pack-index mv name-rev notes pack-redundant pack-refs patch-id prune prune-packed pull push ' +
    'range-diff rebase reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert ' +
    'rm shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule ' +
    'switch symbolic-ref tag update-index var verify-commit verify-pack verify-tag version ' +
    'whatchanged worktree write-tree -v -h --version --help'
  ).split(' '),
)

/** Show what files hold. */
const SHOWING = new Set('show log diff whatchanged'.split(' '))

/** What `git bisect` does without running anything; `view` and `visualize` run git with the words that follow. */
const PLAIN_BISECT = /^(?:start|good|bad|new|old|skip|reset|log|terms|next)$/

/** The subcommand behind the harmless global options, and the words after it. */
export function findSubcommand(argv: readonly Word[]): {
  readonly subcommand: string | undefined
  readonly rest: readonly Word[]
} {
  const at = argv.findIndex(
    (word, index) => index > 0 && !(word.kind === 'literal' && HARMLESS_GLOBAL.includes(word.value)),
  )
  const word = argv[at]
  return { subcommand: word?.kind === 'literal' ? word.value : undefined, rest: at < 0 ? [] : argv.slice(at + 1) }
}

/** Why a git command is not covered by a rule with a wildcard. */
export function gitProblem(argv: readonly Word[]): string | undefined {
  const values = argv.slice(1).map(textOf)
  const at = values.findIndex((value) => !HARMLESS_GLOBAL.includes(value))
  const subcommand = values[at]
  if (subcommand === undefined) return undefined
  if (subcommand.startsWith('-') && !/^--?(?:version|v|help|h)$/.test(subcommand)) {
    return `git ${subcommand} before the subcommand can change what runs`
  }
  const rest = values.slice(at + 1)
  const option = rest.find((value) => isDangerous(subcommand, value))
  if (option !== undefined) return unlisted(`git ${subcommand}`, option)
  const isWhole = argv.slice(at + 2).every((word) => word.kind === 'literal')
  const texts = argv.slice(at + 2).flatMap(isWhole ? exactTexts : unsureTextOf)
  return forgingProblem(subcommand, texts) ?? wholeProblem(subcommand, rest)
}

/** What is known of a word as an option: `--since=` of `--since="$(date)"`. */
function textOf(word: Word): string {
  if (word.kind === 'literal') return word.value
  return word.kind === 'dynamic' && word.prefix?.startsWith('--') ? word.prefix : ''
}

function exactTexts(word: Word): readonly string[] {
  return word.kind === 'literal' ? (word.runsAs ?? [word.value]) : []
}

/** A NUL stands for what is not known. */
function unsureTextOf(word: Word): readonly string[] {
  if (word.kind === 'literal') return exactTexts(word)
  return [word.kind === 'dynamic' ? `${word.prefix ?? ''}\0${word.suffix ?? ''}` : '\0']
}

function isDangerous(subcommand: string, value: string): boolean {
  if (value.includes('ext::') || IGNORED.get(subcommand)?.(value)) return true
  if (!/^-./s.test(value) || /^-(?:\d+$|\s)|^--(?:$|\s)/.test(value)) return false
  const list = gitOptions(subcommand)
  return !isHarmlessOption(list, value) && !isHarmlessOption(list, value.replace(/^--no-/, '--'))
}

function wholeProblem(subcommand: string, rest: readonly string[]): string | undefined {
  const isKnown = subcommand === 'bisect' ? PLAIN_BISECT.test(rest[0] ?? '') : KNOWN.has(subcommand)
  if (!isKnown) return `git ${subcommand} can run programs`
  if (subcommand === 'diff' && rest.some((value) => value !== '/dev/null' && /^\/|(?:^|\/)\.\.(?:\/|$)/.test(value))) {
    return 'git diff reads any file outside the repository'
  }
  if (subcommand === 'grep' && rest.some((value) => isLongOption(value, 'no-index'))) {
    return 'git grep --no-index reads any file'
  }
  const isTold = subcommand === 'cat-file' ? /^--batch(?:=|$|-co)/ : SHOWING.has(subcommand) ? /^--std/ : undefined
  if (isTold && rest.some((value) => isTold.test(value))) return `git ${subcommand} shows what its input names`
  if (subcommand === 'sparse-checkout' && rest[0] !== 'list')
    return 'git sparse-checkout removes files from the work tree'
  if (subcommand === 'submodule' && rest.includes('foreach')) return 'git submodule foreach runs a command'
  if (subcommand === 'remote' && /^(?:remove|rm|rename)$/.test(rest[0] ?? '') && /^(?:origin)?$/.test(rest[1] ?? '')) {
    return 'git push would take a folder called origin for the remote that is no more'
  }
  if (subcommand === 'config' && !isConfigRead(rest)) return 'git config may write; configuration is code'
  return undefined
}

function isConfigRead(rest: readonly string[]): boolean {
  const scope = /^--(?:local|global|system|show-origin|show-scope|null|name-only|type=\w+|bool|int|path)$|^-z$/
  const [first, ...more] = rest.filter((value) => !scope.test(value))
  if (first === undefined) return false
  if (/^--(?:get|get-all|get-regexp|get-urlmatch|list)$|^-l$|^get$|^list$/.test(first)) {
    return more.every((value) => !/^-/.test(value) || /^--(?:all|regexp|default)$/.test(value))
  }
  return !first.startsWith('-') && more.length === 0 && first.includes('.')
}

const READERS = (
  'status log diff show blame ls-files ls-tree rev-parse rev-list describe shortlog grep cat-file merge-base name-rev ' +
  'for-each-ref show-ref count-objects whatchanged diff-tree diff-index diff-files version'
).split(' ')

/** True for git commands that only look; called for commands that `gitProblem` has nothing against. */
export function isGitReader(argv: readonly Word[]): boolean {
  const values = argv.slice(1).map((word) => (word.kind === 'literal' ? word.value : '*'))
  const [subcommand = '', ...rest] = values.slice(values.findIndex((value) => !HARMLESS_GLOBAL.includes(value)))
  if (READERS.includes(subcommand)) return true
  switch (subcommand) {
    case 'branch':
      return rest.every((value) => /^(?:-[arv]+|--(?:list|all|remotes|show-current|verbose))$/.test(value))
    case 'remote':
      return rest.every((value) => value === '-v')
    case 'tag':
      return rest.every((value) => /^(?:-l|--list)$/.test(value))
    case 'stash':
      return rest[0] === 'list' || rest[0] === 'show'
    case 'config':
      return true
    default:
      return false
  }
}
