import { escapeInvisible } from './encodeUntrusted.ts'
import { code, fenced, withoutMentions } from './markdownText.ts'

const MAX_COLUMNS = 30
const LONGEST_LINE = 4_000

/**
 * The model's Markdown, reduced to text formatting: no HTML, image, link, mention or issue reference, and no open
 * fence. It is quoted, so that it cannot pass for a part of the summary.
 */
export function safeMarkdown(text: string): string {
  return `${safeLines(text)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n`
}

/** The same without the quote, for a place of its own: a comment, an issue. */
export function unquotedMarkdown(text: string): string {
  return `${safeLines(text)
    .map((line) => line.trimEnd())
    .join('\n')}\n`
}

function safeLines(text: string): string[] {
  const lines = escapeInvisible(text).split('\n')
  const out: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [, mark, info = ''] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line) ?? []
    if (mark === undefined) {
      out.push(safeLine(line))
      continue
    }
    const end = endOfFence(lines, index + 1, mark)
    const language = /^\w*/.exec(info.trim())?.[0]
    out.push(
      ...fenced(lines.slice(index + 1, end).join('\n'), language)
        .trimEnd()
        .split('\n'),
    )
    index = end
  }
  return out
}

function endOfFence(lines: readonly string[], start: number, mark: string): number {
  const end = lines.findIndex((line, index) => {
    if (index < start || !/^ {0,3}[`~]+\s*$/.test(line)) return false
    const closing = line.trim()
    return closing.length >= mark.length && closing === mark.charAt(0).repeat(closing.length)
  })
  return end === -1 ? lines.length : end
}

/** Code spans become `code` elements and every other backtick is escaped, so that none can form another pair. */
function safeLine(whole: string): string {
  const line = whole.length > LONGEST_LINE ? `${whole.slice(0, LONGEST_LINE)}…`.toWellFormed() : whole
  const isTable = line.split('|').length <= MAX_COLUMNS
  let out = ''
  let text = ''
  for (let at = 0; at < line.length; ) {
    const run = runAt(line, at)
    const end = run === '' ? -1 : endOfSpan(line, at, run)
    if (end !== -1) {
      out += withoutMentions(text) + code(line.slice(at + run.length, end - run.length))
      text = ''
    } else if (run !== '') text += '&#96;'.repeat(run.length)
    else text += safeSign(line, at, isTable)
    at = end !== -1 ? end : at + Math.max(run.length, isEscape(line, at) ? 2 : 1)
  }
  return out + withoutMentions(text)
}

function runAt(line: string, at: number): string {
  const pattern = /`+/y
  pattern.lastIndex = at
  return pattern.exec(line)?.[0] ?? ''
}

/** Where the code span that `run` opens ends; -1 if no run of the same length follows. */
function endOfSpan(line: string, at: number, run: string): number {
  for (const match of line.slice(at + run.length).matchAll(/`+/g)) {
    if (match[0] === run) return at + run.length + match.index + run.length
  }
  return -1
}

function isEscape(line: string, at: number): boolean {
  return line[at] === '\\' && /[!-/:-@[-`{-~]/.test(line.charAt(at + 1))
}

function safeSign(line: string, at: number, isTable: boolean): string {
  const sign = line.charAt(at)
  if (isEscape(line, at))
    return /[@#]/.test(line.charAt(at + 1)) ? line.slice(at, at + 2) : `&#${line.charCodeAt(at + 1)};`
  if (sign === '<') return '&lt;'
  if (sign === '&') return '&amp;'
  if (sign === '[' || sign === '$') return `&#${sign.charCodeAt(0)};`
  return sign === '|' && !isTable ? '&#124;' : sign
}
