import { FileError } from '../contracts/files.ts'
import { visibleName } from '../lib/text/visibleName.ts'
import { replaceText, type TextEdit, withStraightQuotes } from './replaceText.ts'

/**
 * Applies each edit to the result of the one before. Throws at the first that does not match, with a message for the
 * model. An empty old text starts a new file. In a stale file, each must match exactly once.
 */
export function applyEdits(path: string, text: string, edits: readonly TextEdit[], isStale: boolean): string {
  let current = text
  for (const [index, edit] of edits.entries()) {
    if (edit.oldText === '') {
      current = edit.newText
      continue
    }
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

const MAX_SHOWN_CHARS = 1500

/**
 * The lines that match `wanted`, or have it in them, but for white space and kinds of quotes; the number of the first.
 * Undefined if nothing is that close, or it is too long to show. Pure.
 */
export function closestLines(
  text: string,
  wanted: string,
): { readonly line: number; readonly lines: string } | undefined {
  const keys = wanted.split(/\r?\n/).map(keyOf)
  while (keys[0] === '') keys.shift()
  while (keys.at(-1) === '') keys.pop()
  if (keys.length === 0) return undefined
  const lines = text.split(/\r?\n/)
  const own = lines.map(keyOf)
  const whole = own.findIndex((_, start) => keys.every((key, index) => own[start + index] === key))
  const at = whole === -1 ? findPart(own, keys) : whole
  const found = lines.slice(at, at + keys.length).join('\n')
  return at === -1 || found.length > MAX_SHOWN_CHARS ? undefined : { line: at + 1, lines: found }
}

/** The shortest text that is looked for inside of a line: a shorter one is in many. */
const LEAST_PART = 4

/** The line where a text begins that may start and end inside of a line; -1 if there is none. */
function findPart(lines: readonly string[], keys: readonly string[]): number {
  const [only = ''] = keys
  if (keys.length === 1) return only.length < LEAST_PART ? -1 : lines.findIndex((line) => line.includes(only))
  return lines.findIndex((_, start) =>
    keys.every((key, index) => {
      const line = lines[start + index] ?? ''
      if (index === 0) return line.endsWith(key)
      return index === keys.length - 1 ? line.startsWith(key) : line === key
    }),
  )
}

/** A line without commonly confused characters. */
function keyOf(line: string): string {
  return withStraightQuotes(line).replace(/\s+/g, ' ').trim()
}
