import { escapeGlob } from './escapeGlob.ts'
import type { Rule } from './Policy.ts'
import { parseRule } from './parseRule.ts'

/** git commands that only look; `git branch` and its like only in the forms that list. */
const READ_ONLY_GIT = [
  ...['status', 'diff', 'log', 'show', 'blame', 'grep', 'ls-files', 'ls-tree', 'rev-parse', 'rev-list', 'describe'],
  ...['shortlog', 'merge-base', 'cat-file', 'name-rev', 'for-each-ref', 'show-ref', 'diff-tree', 'count-objects'],
].map((command) => `Bash(git ${command} *)`)

const LISTING_GIT = [
  ...['branch', 'branch -a', 'branch -r', 'branch -v', 'branch -vv', 'branch --list', 'branch --show-current'],
  ...['tag', 'tag -l', 'tag --list', 'remote', 'remote -v', 'stash list', 'worktree list', 'reflog', '--version'],
].map((command) => `Bash(git ${command})`)

const READERS = ['ls', 'cat', 'head', 'tail', 'wc', 'grep', 'rg', 'find', 'cut', 'sort', 'uniq', 'echo', 'pwd'].map(
  (command) => `Bash(${command} *)`,
)

/** What each preset stands for: rules like any other, that `policy explain` and denials can name. */
const PRESETS = {
  'read-only': (directories: readonly string[]): readonly string[] => [
    'Read(./**)',
    ...directories.map((directory) => `Read(/${escapeGlob(directory)}/**)`),
    ...READERS,
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
