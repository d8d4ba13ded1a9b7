import { codeFence } from '../../lib/text/words.ts'
import { splitInlineCode } from '../splitInlineCode.ts'
import { escapeInvisible } from './encodeUntrusted.ts'

/** Invisible; it keeps the characters around it from forming one word. */
const NO_WIDTH = '&#8203;'

/** The text as Markdown that shows exactly this text, on one line, without markup, links, mentions or table borders. */
export function literal(text: string): string {
  return withoutMentions(escapeMarkup(text))
}

/** Markdown in which `@name`, `#1` and `GH-1` mention nobody and refer to nothing. */
export function withoutMentions(markdown: string): string {
  return markdown.replace(/@|(?<!&)#(?=\d)|\bGH-(?=\d)/gi, `$&${NO_WIDTH}`)
}

/** The same as code, to be copied unchanged; GitHub ignores mentions and references in code. */
export function code(text: string): string {
  return `<code>${escapeMarkup(text)}</code>`
}

/** Text as a code span that also reads well in a terminal; `|` does not end a table cell. */
export function codeSpan(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``
}

/** A sentence as Markdown that shows exactly this text; parts between backticks are code. */
export function sentence(text: string): string {
  return splitInlineCode(text)
    .map((part) => (part.isCode ? code(part.text) : literal(part.text)))
    .join('')
}

/** Markdown's special characters as entities, with a first one that could start a list or a heading. */
function escapeMarkup(text: string): string {
  return escapeInvisible(text)
    .replace(/\s+/g, ' ')
    .replace(
      /[\\`*_{}[\]<>&|~$^!]|^[#+=-]|(?<=^ ?\d{1,9})[.)](?= |$)|:(?=\/\/)|(?<=\bwww)\./gi,
      (sign) => `&#${sign.charCodeAt(0)};`,
    )
}

/** The text as a fenced block that nothing in it can end. */
export function fenced(text: string, language = ''): string {
  return `${codeFence(escapeInvisible(text), language)}\n`
}

/** At most `most` characters: the first and the last, cut at line ends if possible. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, most / 2).replace(/[^\n]*$/, (rest) => (rest.length < 500 ? '' : rest))
  const tail = text.slice(-most / 2).replace(/^[^\n]*\n/, (rest) => (rest.length < 500 ? '' : rest))
  return `${head.toWellFormed()}\n… ${text.length - head.length - tail.length} characters left out …\n${tail.toWellFormed()}`
}

/** Markdown that opens with a click on its title. */
export function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n</details>\n\n`
}
