import type { Word } from '../contracts/subject.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'

/** Global options that change nothing but what is shown. */
const HARMLESS_GLOBAL = ['--no-pager', '--no-optional-locks', '--literal-pathspecs']

/** By any subcommand: options that run a program or write a file. */
const LONG = [
  ...['output', 'output-directory', 'ext-diff', 'open-files-in-pager', 'upload-pack', 'receive-pack', 'exec', 'extcmd'],
  ...['template', 'no-index', 'in-place', 'export-marks', 'import-marks', 'separate-git-dir', 'unsafe-paths'],
  'index-output',
]

const SHORT: ReadonlyMap<string, { readonly letters: string; readonly valued: string }> = new Map([
  ['grep', { letters: 'O', valued: 'efABCm' }],
  ['clone', { letters: 'uc', valued: 'obj' }],
  ['rebase', { letters: 'x', valued: 'sXC' }],
  ['archive', { letters: 'o', valued: '' }],
  ['format-patch', { letters: 'o', valued: 'vU' }],
  ['mailsplit', { letters: 'o', valued: '' }],
  ['ls-remote', { letters: 'u', valued: 'o' }],
])

/** Subcommands that run programs, or open what an attacker may have left in the configuration. */
const PROGRAMS = (
  'difftool mergetool bisect filter-branch instaweb web--browse daemon shell hook send-email help gui citool p4 svn ' +
  'credential credential-store credential-cache submodule--helper for-each-repo maintenance scalar cvsimport imap-send ' +
  'cvsserver http-backend remote-ext remote-fd fast-import upload-pack receive-pack upload-archive merge-index ' +
  'merge-one-file send-pack fetch-pack http-push http-fetch remote-http remote-https bundle bugreport diagnose mailinfo ' +
  'unpack-file index-pack pack-objects checkout-index difftool--helper upload-archive--writer add--interactive ' +
  'fsmonitor--daemon cvsexportcommit archimport quiltimport sh-setup'
).split(' ')

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
  const values = argv.slice(1).map((word) => (word.kind === 'literal' ? word.value : ''))
  const at = values.findIndex((value) => !HARMLESS_GLOBAL.includes(value))
  const subcommand = values[at]
  if (subcommand === undefined) return undefined
  if (subcommand.startsWith('-') && !/^--?(?:version|v|help|h)$/.test(subcommand)) {
    return `git ${subcommand} before the subcommand can change what runs`
  }
  const rest = values.slice(at + 1)
  const option = rest.find((value) => isDangerous(subcommand, value))
  if (option !== undefined) return `git ${subcommand} ${option} can run or write more than the rule says`
  return wholeProblem(subcommand, rest)
}

function isDangerous(subcommand: string, value: string): boolean {
  if (value.includes('ext::')) return true
  if (LONG.some((name) => isLongOption(value, name))) return true
  if (subcommand === 'clone' && isLongOption(value, 'config')) return true
  const short = SHORT.get(subcommand)
  return short !== undefined && hasShortOption(value, short.letters, short.valued)
}

function wholeProblem(subcommand: string, rest: readonly string[]): string | undefined {
  if (PROGRAMS.includes(subcommand) && !(subcommand === 'bisect' && !rest.includes('run') && rest[0] !== 'visualize')) {
    return `git ${subcommand} can run programs`
  }
  if (subcommand === 'diff' && rest.some((value) => /^\/|(?:^|\/)\.\.(?:\/|$)/.test(value))) {
    return 'git diff reads any file outside the repository'
  }
  if (subcommand === 'submodule' && rest.includes('foreach')) return 'git submodule foreach runs a command'
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
