import { FileError } from '../contracts/files.ts'
import { nearMiss } from '../lib/nearMiss.ts'
import { replaceText, type TextEdit } from '../lib/replaceText.ts'

/**
 * Applies edits one after another, each on the result of the one before. Throws at the first that does not fit, with
 * words the model can act on. In a file that changed since it was read, each must match exactly once.
 */
export function applyEdits(path: string, text: string, edits: readonly TextEdit[], isStale: boolean): string {
  let current = text
  for (const [index, edit] of edits.entries()) {
    const isAll = edit.isAll && !isStale
    const { text: next, matches } = replaceText(current, { ...edit, isAll })
    if (next === undefined) {
      const which = edits.length > 1 ? `edit ${index + 1} of ${edits.length}: ` : ''
      throw new FileError('changed', which + describeMismatch(path, edit, { text: current, matches, isStale }))
    }
    current = next
  }
  return current
}

type Mismatch = { readonly text: string; readonly matches: number; readonly isStale: boolean }

function describeMismatch(path: string, { oldText }: TextEdit, { text, matches, isStale }: Mismatch): string {
  if (isStale)
    return `${path} changed on disk since it was read, and old_string does not match exactly once; Read it again`
  if (matches > 1) {
    return `old_string stands ${matches} times in ${path}; give more of its surroundings, or set replace_all`
  }
  return `old_string was not found in ${path}; it must match exactly, blanks and indentation included.${hintFor(path, text, oldText)}`
}

function hintFor(path: string, text: string, oldText: string): string {
  if (/^ *\d+\t/m.test(oldText)) return ' Leave out the line numbers that Read puts before each line.'
  const near = nearMiss(text, oldText)
  if (near !== undefined)
    return ` From line ${near.line} on it differs in blanks or quotes alone. There stands:\n${near.lines}`
  return path.endsWith('.ipynb') ? ' NotebookEdit changes cells.' : ''
}
