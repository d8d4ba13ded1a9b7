import { escapeGlob } from './escapeGlob.ts'
import type { Rule } from './Policy.ts'
import { parseRule } from './parseRule.ts'

/** git commands that only look; `git branch` and its like only in the forms that list. */
const READ_ONLY_GIT = [
  ...['status', 'diff', 'log', 'show', 'blame', 'grep', 'ls-files', 'ls-tree', 'rev-parse', 'rev-list', 'describe'],
  ...['shortlog', 'merge-base', 'cat-file', 'name-rev', 'for-each-ref', 'show-ref', 'diff-tree', 'count-objects'],
  ...['diff-index', 'diff-files', 'check-ignore', 'check-attr', 'stash list', 'stash show', 'tag -l', 'tag --list'],
  ...['branch', 'branch -a', 'branch -r'].flatMap((command) =>
    ['merged', 'no-merged', 'contains', 'no-contains'].map((option) => `${command} --${option}`),
  ),
].map((command) => `Bash(git ${command} *)`)

const LISTING_GIT = [
  ...['branch', 'branch -a', 'branch -r', 'branch -v', 'branch -vv', 'branch --list', 'branch --show-current'],
  ...[
    'branch --sort=-committerdate',
    'branch -a --sort=-committerdate',
    'symbolic-ref HEAD',
    'symbolic-ref --short HEAD',
  ],
  ...['tag', 'tag --sort=-creatordate', 'tag --sort=-v:refname', 'tag --points-at HEAD'],
  ...['remote', 'remote -v', 'remote get-url *', 'config --get *', 'config --list', 'cherry *'],
  ...['worktree list', 'worktree list --porcelain', 'reflog', 'reflog -5', 'reflog -10', 'reflog -20', 'reflog show *'],
  ...['config user.name', 'config user.email', 'version', '--version'],
].map((command) => `Bash(git ${command})`)

/** Commands that only show; what any of their options runs or writes is not covered by a rule with a wildcard. */
const READERS = [
  ...['ls', 'cat', 'head', 'tail', 'wc', 'grep', 'rg', 'find', 'cut', 'sort', 'uniq', 'echo', 'printf', 'pwd', 'tr'],
  ...['sed', 'awk', 'jq', 'nl', 'tac', 'rev', 'column', 'paste', 'comm', 'cmp', 'diff', 'stat', 'file', 'tree', 'du'],
  ...['df', 'basename', 'dirname', 'realpath', 'readlink', 'md5sum', 'sha256sum', 'cksum', 'seq', 'sleep', 'date'],
  ...['which', 'type', 'uname', 'nproc', 'whoami', 'id', 'egrep', 'fgrep', 'zcat', 'od', 'xxd', 'hexdump', 'strings'],
  ...['fold', 'expand', 'unexpand', 'nm', 'readelf', 'size', 'expr', 'free', 'hostname'],
].map((command) => `Bash(${command} *)`)

const VERSIONS = ['node', 'npm'].flatMap((command) => [`Bash(${command} --version)`, `Bash(${command} -v)`])

/** What each preset stands for: rules like any other, that `policy explain` and denials can name. */
const PRESETS = {
  'read-only': (directories: readonly string[]): readonly string[] => [
    'Read(./**)',
    ...directories.map((directory) => `Read(/${escapeGlob(directory)}/**)`),
    ...READERS,
    ...VERSIONS,
    ...READ_ONLY_GIT,
    ...LISTING_GIT,
  ],
} as const

export type PresetName = keyof typeof PRESETS

/** The rules of the presets, each once; their file is `preset:<name>`. */
export function expandPresets(names: readonly PresetName[], directories: readonly string[]): readonly Rule[] {
  return [...new Set(names)].flatMap((name) =>
    PRESETS[name](directories).map((text) => {
      const { tool, target } = parseRule(text, 'allow')
      return { text, list: 'allow', file: `preset:${name}`, line: 0, tool, target }
    }),
  )
}
