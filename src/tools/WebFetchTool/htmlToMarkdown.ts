import { parseUrl } from '../../lib/net/parseUrl.ts'
import { stripHidden } from '../../lib/text/visibleName.ts'
import { codeFence } from '../../lib/text/words.ts'

/**
 * A page as Markdown: headings, paragraphs, lists, links, code, tables and quotes. Leaves out what a reader of the page
 * would not see: scripts, styles, hidden elements, hidden characters. No recursion; linear in the length of the page.
 */
export async function htmlToMarkdown(html: string, baseUrl: string): Promise<string> {
  const { Parser } = await import('htmlparser2')
  const page = createPage(baseUrl)
  const parser = new Parser({
    onopentag: (name, attributes) => openElement(page, name, attributes),
    ontext: (text) => addText(page, text),
    onclosetag: (name) => closeElement(page, name),
  })
  for (let start = 0; start < html.length && page.depth <= MAX_DEPTH; start += CHUNK) {
    parser.write(html.slice(start, start + CHUNK))
  }
  if (page.depth <= MAX_DEPTH) parser.end()
  else add(page, '\n\n[The rest of the page is left out: its elements are nested too deeply.]')
  while (page.stretches.length > 1) endStretch(page)
  const title = page.title.replace(/\s+/g, ' ').trim()
  const body = stripHidden(page.text())
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const hasTitle = title === '' || body.slice(0, 1000).includes(`# ${title}`)
  return hasTitle ? body : `# ${title}\n\n${body}`.trim()
}

type Attributes = Readonly<Record<string, string>>
/** A part of the output that is wrapped as a whole when its element ends: a link, a quote, a table cell. */
type Stretch = { readonly element: string; readonly wrap: (text: string) => string; readonly parts: string[] }

type Page = ReturnType<typeof createPage>

/** The parser's own work grows with the depth. No page for people comes near this. */
const MAX_DEPTH = 2000
const CHUNK = 16_384

/** Deeper nesting of wrapped elements adds no more marks: it is an attack, not a page. */
const MAX_STRETCHES = 16
const MAX_INDENT = 8

const UNSEEN = new Set(
  'script style noscript template svg math iframe object embed canvas audio video select datalist'.split(' '),
)
const BLOCKS = new Set(
  'address article aside blockquote body center dd details dialog dl div dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend main nav ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0(?![.\d]))/i

function createPage(baseUrl: string) {
  const root: Stretch = { element: '', wrap: (text) => text, parts: [] }
  return {
    baseUrl,
    /** Innermost last; the first is the page itself. */
    stretches: [root],
    lists: [] as { readonly isOrdered: boolean; count: number }[],
    title: '',
    isTitle: false,
    /** The depth of open elements, and the depth at which an invisible one began (0: none). */
    depth: 0,
    unseenFrom: 0,
    preDepth: 0,
    row: undefined as string[] | undefined,
    rows: 0,
    text: () => root.parts.join(''),
  }
}

function openElement(page: Page, name: string, attributes: Attributes): void {
  page.depth += 1
  if (page.unseenFrom > 0) return
  if (isUnseen(name, attributes)) page.unseenFrom = page.depth
  else if (name === 'title') page.isTitle = page.title === ''
  else {
    if (BLOCKS.has(name)) breakBlock(page)
    OPEN[name]?.(page, attributes)
  }
}

function closeElement(page: Page, name: string): void {
  const { depth } = page
  page.depth -= 1
  if (page.unseenFrom > 0) {
    if (page.unseenFrom === depth) page.unseenFrom = 0
    return
  }
  if (name === 'title') page.isTitle = false
  if (top(page).element === name) endStretch(page)
  CLOSE[name]?.(page)
  if (BLOCKS.has(name)) breakBlock(page)
}

function isUnseen(name: string, attributes: Attributes): boolean {
  const { hidden, style, type } = attributes
  if (UNSEEN.has(name) || hidden !== undefined || attributes['aria-hidden'] === 'true') return true
  return (name === 'input' && type === 'hidden') || (style !== undefined && HIDING_STYLE.test(style.slice(0, 2000)))
}

function addText(page: Page, text: string): void {
  if (page.unseenFrom > 0) return
  if (page.isTitle) page.title += text.slice(0, 500)
  else if (page.preDepth > 0) add(page, text)
  else {
    const words = text.replace(/\s+/g, ' ')
    add(page, isLineStart(page) ? words.trimStart() : words)
  }
}

/** What elements do when they open, in addition to starting a block. */
const OPEN: Readonly<Record<string, (page: Page, attributes: Attributes) => void>> = {
  br: (page) => add(page, '\n'),
  hr: (page) => add(page, '---'),
  img: (page, { alt = '' }) => add(page, alt === '' ? '' : `[image: ${alt.slice(0, 300)}]`),
  ul: (page) => page.lists.push({ isOrdered: false, count: 0 }),
  ol: (page) => page.lists.push({ isOrdered: true, count: 0 }),
  li: openItem,
  a: (page, { href = '' }) => beginStretch(page, 'a', (text) => link(text, href, page.baseUrl)),
  strong: (page) => beginStretch(page, 'strong', (text) => around(text, '**')),
  b: (page) => beginStretch(page, 'b', (text) => around(text, '**')),
  code: (page) => beginStretch(page, 'code', (text) => (page.preDepth > 0 ? text : around(text, '`'))),
  blockquote: (page) => beginStretch(page, 'blockquote', (text) => text.trim().replace(/^/gm, '> ')),
  td: (page) => beginStretch(page, 'td', (text) => cell(page, text)),
  th: (page) => beginStretch(page, 'th', (text) => cell(page, text)),
  tr: (page) => {
    page.row = []
  },
  table: (page) => {
    page.rows = 0
  },
  pre: (page) => {
    page.preDepth += 1
    if (page.preDepth === 1) beginStretch(page, 'pre', (text) => codeFence(text))
  },
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, (page: Page) => add(page, `${'#'.repeat(level)} `)]),
  ),
}

const CLOSE: Readonly<Record<string, (page: Page) => void>> = {
  ul: (page) => page.lists.pop(),
  ol: (page) => page.lists.pop(),
  pre: (page) => {
    page.preDepth = Math.max(0, page.preDepth - 1)
  },
  tr: endRow,
}

function openItem(page: Page): void {
  const list = page.lists.at(-1)
  if (list !== undefined) list.count += 1
  if (!isLineStart(page)) add(page, '\n')
  const indent = '  '.repeat(Math.min(Math.max(0, page.lists.length - 1), MAX_INDENT))
  add(page, `${indent}${list?.isOrdered === true ? `${list.count}.` : '-'} `)
}

function cell(page: Page, text: string): string {
  const content = text.replace(/\s+/g, ' ').trim()
  if (page.row === undefined) return `${content} `
  page.row.push(content.replaceAll('|', '\\|'))
  return ''
}

function endRow(page: Page): void {
  const { row } = page
  page.row = undefined
  if (row === undefined || row.length === 0) return
  const isFirst = page.rows === 0
  page.rows += 1
  trimBreak(page)
  add(page, `${isFirst ? '\n' : ''}| ${row.join(' | ')} |\n${isFirst ? `|${' --- |'.repeat(row.length)}\n` : ''}`)
}

function beginStretch(page: Page, element: string, wrap: (text: string) => string): void {
  if (page.stretches.length < MAX_STRETCHES) page.stretches.push({ element, wrap, parts: [] })
}

function endStretch(page: Page): void {
  const stretch = page.stretches.length > 1 ? page.stretches.pop() : undefined
  if (stretch !== undefined) add(page, stretch.wrap(stretch.parts.join('')))
}

function around(text: string, mark: string): string {
  const inside = text.trim()
  return inside === '' || inside.includes('\n') ? text : text.replace(inside, () => mark + inside + mark)
}

/** Links of other schemes than http, https and mailto are only their text. */
function link(text: string, href: string, baseUrl: string): string {
  const label = text.replace(/\s+/g, ' ').trim()
  const url = href !== '' && href.length <= 2000 ? parseUrl(href, baseUrl) : undefined
  const isShown = url !== undefined && ['http:', 'https:', 'mailto:'].includes(url.protocol) && !href.startsWith('#')
  if (!isShown || label === '') return text
  return `[${label}](${url.href.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

function top(page: Page): Stretch {
  return page.stretches.at(-1) ?? { element: '', wrap: (text) => text, parts: [] }
}

function add(page: Page, text: string): void {
  if (text !== '') top(page).parts.push(text)
}

/** True at the start of a line, and directly after a list mark, so that `<li><p>` stays one line. */
function isLineStart(page: Page): boolean {
  const last = top(page).parts.at(-1)
  return last === undefined ? page.stretches.length === 1 : /(?:\n|(?:^|\n) *(?:-|\d+\.|#+) )$/.test(last.slice(-40))
}

function breakBlock(page: Page): void {
  if (page.preDepth === 0 && !isLineStart(page)) add(page, '\n\n')
}

/** Removes the blank line that a row's block started with, so that rows stay together. */
function trimBreak(page: Page): void {
  const { parts } = top(page)
  if (page.rows > 1 && parts.at(-1) === '\n\n') parts.pop()
}
