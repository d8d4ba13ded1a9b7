import { FileError } from '../contracts/files.ts'
import { closestLines } from '../lib/text/closestLines.ts'
import { replaceText, type TextEdit } from '../lib/text/replaceText.ts'
import { visibleName } from '../lib/text/visibleName.ts'

/**
 * Applies edits one after another, each to the result of the previous one. Throws at the first that does not match,
 * with a message the model can act on. In a file that changed since it was read, each must match exactly once.
 */
export function applyEdits(path: string, text: string, edits: readonly TextEdit[], isStale: boolean): string {
  let current = text
  for (const [index, edit] of edits.entries()) {
    const isAll = edit.isAll && !isStale
    const { text: next, matches } = replaceText(current, { ...edit, isAll })
    if (next === undefined) {
      const which = edits.length > 1 ? `edit ${index + 1} of ${edits.length}: ` : ''
      throw new FileError(
        'changed',
        which + describeMismatch(visibleName(path), edit, { text: current, matches, isStale }),
      )
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
    return `old_string was found ${matches} times in ${path}. Include more of the lines around it, or set replace_all to change all of them.`
  }
  return `old_string was not found in ${path}. It must match exactly, including all white space.${hintFor(path, text, oldText)}`
}

function hintFor(path: string, text: string, oldText: string): string {
  if (/^ *\d+\t/m.test(oldText)) return ' Leave out the line numbers that Read puts before each line.'
  if (path.endsWith('.ipynb')) return ' This is a notebook: use NotebookEdit, which changes its cells.'
  const near = closestLines(text, oldText)
  if (near !== undefined)
    return ` The text from line ${near.line} on differs only in spaces or quotes. The file has:\n${near.lines}`
  return ''
}
