import { writeOutInvisible } from './encodeUntrusted.ts'
import { splitCode } from './splitCode.ts'

/** Does nothing where it is shown, and keeps what stands around it from being read as one word. */
const NO_WIDTH = '&#8203;'

/** The text as Markdown that shows exactly it, on one line: no markup, link, mention or table border comes out of it. */
export function literal(text: string): string {
  return withoutReferences(escapeMarkup(text))
}

/** Markdown whose `@name`, `#1` and `GH-1` mention nobody and refer to nothing. */
export function withoutReferences(markdown: string): string {
  return markdown.replace(/@|(?<!&)#(?=\d)|\bGH-(?=\d)/gi, `$&${NO_WIDTH}`)
}

/** The same, set as code, to be copied as it is; GitHub makes no mentions and references of code. */
export function code(text: string): string {
  return `<code>${escapeMarkup(text)}</code>`
}

/** A sentence as Markdown that shows exactly it; what stands between backticks is set as code. */
export function sentence(text: string): string {
  return splitCode(text)
    .map((part) => (part.isCode ? code(part.text) : literal(part.text)))
    .join('')
}

/** What Markdown gives a meaning, as numbers; the first sign too where it could begin a list or a heading. */
function escapeMarkup(text: string): string {
  return writeOutInvisible(text)
    .replace(/\s+/g, ' ')
    .replace(
      /[\\`*_{}[\]<>&|~$^!]|^[#+=-]|(?<=^ ?\d{1,9})[.)](?= |$)|:(?=\/\/)|(?<=\bwww)\./gi,
      (sign) => `&#${sign.charCodeAt(0)};`,
    )
}

/** The text as a fenced block whose fence is longer than any run of backticks in it. */
export function fenced(text: string, language = ''): string {
  const runs = text.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3))
  return `${fence}${language}\n${writeOutInvisible(text).replace(/\n$/, '')}\n${fence}\n`
}

/** At most `most` characters: the first and the last, on line borders where there are any. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const head = text.slice(0, most / 2).replace(/[^\n]*$/, (rest) => (rest.length < 500 ? '' : rest))
  const tail = text.slice(-most / 2).replace(/^[^\n]*\n/, (rest) => (rest.length < 500 ? '' : rest))
  return `${head.toWellFormed()}\n… ${text.length - head.length - tail.length} characters left out …\n${tail.toWellFormed()}`
}
