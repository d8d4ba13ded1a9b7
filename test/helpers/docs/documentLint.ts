import type { Document } from '../../../scripts/documents.ts'

const MOST = { sentence: 30, cell: 25, paragraph: 90, line: 120 } as const

/**
 * What makes a document hard to read: a sentence over 30 words, a cell of a table over 25, a paragraph over 90, a line of a
 * table over 120 characters as it is shown. Code blocks are left out.
 */
export function lintDocument({ path, text }: Document): string[] {
  return blocksOf(text).flatMap((block) => lintBlock(block).map((problem) => `${path}:${block.line}: ${problem}`))
}

type Block = { readonly line: number; readonly lines: readonly string[] }

/** Paragraphs, items of lists, and lines of tables; a blank line, a heading or a bullet starts the next one. */
function blocksOf(text: string): Block[] {
  const blocks: { line: number; lines: string[] }[] = []
  let isOpen = false
  let isCode = false
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode
    const isProse = !isCode && /\S/.test(line) && !/^\s*(?:```|<!--|>?\s*$)/.test(line)
    if (!isProse) {
      isOpen = false
      continue
    }
    if (!isOpen || /^\s*(?:#|\||[-*] |\d+\. )/.test(line)) blocks.push({ line: index + 1, lines: [] })
    blocks.at(-1)?.lines.push(line)
    isOpen = !line.startsWith('#')
  }
  return blocks
}

function lintBlock({ lines }: Block): string[] {
  return lines[0]?.startsWith('|') ? lintRow(lines[0]) : lintParagraph(lines.join(' '))
}

function lintRow(line: string): string[] {
  const shown = plain(line)
  const problems = shown.length > MOST.line ? [`a table line of ${shown.length} characters: ${start(shown)}`] : []
  for (const cell of shown.split(/(?<!\\)\|/)) {
    const count = wordsOf(cell).length
    if (count > MOST.cell) problems.push(`a cell of ${count} words: ${start(cell)}`)
  }
  return problems
}

function lintParagraph(text: string): string[] {
  const shown = plain(text)
  const count = wordsOf(shown).length
  const problems = count > MOST.paragraph ? [`a paragraph of ${count} words: ${start(shown)}`] : []
  for (const sentence of shown.split(/(?<=[.?!:…])\s+(?=\S)/)) {
    const length = wordsOf(sentence).length
    if (length > MOST.sentence) problems.push(`a sentence of ${length} words: ${start(sentence)}`)
  }
  return problems
}

/** As a reader sees it: links by their text, code as one word. */
function plain(text: string): string {
  return text
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/[[\]]/g, '')
    .replace(/<br>/g, '. ')
    .replace(/`[^`]*`/g, (code) => code.replaceAll(' ', '_'))
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
}

function start(text: string): string {
  return text.trim().slice(0, 60)
}
