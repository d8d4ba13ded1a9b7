import { type Command, forEachChild, type SyntaxNode } from 'unbash'
import { STATEFUL } from './wrappers.ts'

const DIRECTORY = new Set(['cd', 'pushd', 'popd', 'eval', '.', 'source'])

/**
 * True where a node may change the directory (`place`) or a variable (its name) of the shell it runs in. Too often true,
 * never too seldom for what is not opaque anyway.
 */
export function changesState(node: SyntaxNode, what: string): boolean {
  if (what === 'place' && isSubshell(node)) return false
  if (node.type === 'For' && node.name.text === what) return true
  if (node.type === 'Command' && isChanging(node, what)) return true
  let found = false
  forEachChild(node, (child) => {
    found ||= changesState(child, what)
  })
  return found
}

function isSubshell({ type }: SyntaxNode): boolean {
  return type === 'Subshell' || type === 'CommandExpansion' || type === 'ProcessSubstitution'
}

function isChanging({ name, args }: Command, what: string): boolean {
  const words = [name, ...args].map((word) => (word?.type === 'Word' ? word.value : word?.text) ?? '')
  if (what === 'place') return candidates(words).some((word) => DIRECTORY.has(word))
  return candidates(words).some((word) => STATEFUL.has(word) && word !== 'cd' && word !== 'command') || assigns(words)
}

/** True where a word, known from a loop, decides that the command changes the shell that it runs in. */
export function isStateful(word: string, words: readonly string[]): boolean {
  return (isPrefix(words[0]) && STATEFUL.has(word)) || (assigns(words) && assigns(['printf', word]))
}

/** The words that may name a builtin: the first, and all of them behind `command` and `builtin`. */
function candidates(words: readonly string[]): readonly string[] {
  return isPrefix(words[0]) ? words : words.slice(0, 1)
}

function isPrefix(word: string | undefined): boolean {
  return word === 'command' || word === 'builtin'
}

/** `printf -v` and `%n`, also behind a prefix. */
function assigns(words: readonly string[]): boolean {
  const isPrintf = isPrefix(words[0]) ? words.includes('printf') : words[0] === 'printf'
  return isPrintf && words.some((word) => word.startsWith('-v') || countsIntoVariable(word))
}

/** True for a printf format with `%n`, which assigns. */
export function countsIntoVariable(format: string): boolean {
  return /%[^A-Za-z%]*[hjlLqtz]*n/.test(format.replaceAll('%%', ''))
}
