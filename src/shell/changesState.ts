import { forEachChild, type SyntaxNode } from 'unbash'
import { STATEFUL } from './wrappers.ts'

const DIRECTORY = new Set(['cd', 'pushd', 'popd', 'eval', '.', 'source'])

/**
 * True where a node may change the directory (`place`) or a variable (its name) of the shell it runs in. Looks at words
 * as text: too often true, never too seldom for what is not opaque anyway.
 */
export function changesState(node: SyntaxNode, what: string): boolean {
  if (what === 'place' && isSubshell(node)) return false
  if (node.type === 'For' && node.name.text === what) return true
  if (node.type === 'Word' && (what === 'place' ? DIRECTORY.has(node.value) : isAssigning(node.value))) return true
  let found = false
  forEachChild(node, (child) => {
    found ||= changesState(child, what)
  })
  return found
}

function isSubshell({ type }: SyntaxNode): boolean {
  return type === 'Subshell' || type === 'CommandExpansion' || type === 'ProcessSubstitution'
}

function isAssigning(word: string): boolean {
  return isStateful(word) && word !== 'cd' && word !== 'command'
}

/** True for words by which a command may change the shell it runs in: a builtin's name, `printf -v` and `%n`. */
export function isStateful(word: string): boolean {
  return STATEFUL.has(word) || word.startsWith('-v') || countsIntoVariable(word)
}

/** True for a printf format with `%n`, which assigns. */
export function countsIntoVariable(format: string): boolean {
  return /%[^A-Za-z%]*[hjlLqtz]*n/.test(format.replaceAll('%%', ''))
}
