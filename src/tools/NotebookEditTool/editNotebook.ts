import { createHash } from 'node:crypto'
import { mainLineEnd, withLineEnd } from '../../files/replaceText.ts'
import { parseNotebook } from '../../lib/media/parseNotebook.ts'
import { itemRanges, type JsonRange, memberRange, skipBlank } from './memberRange.ts'

export type NotebookChange = {
  readonly mode: 'replace' | 'insert' | 'delete'
  readonly cellId: string | undefined
  readonly cellType: 'code' | 'markdown' | undefined
  readonly source: string
}
/** One cell changed; all other bytes stay, because the text is spliced. Throws with a message for the model. Pure. */
export function editNotebook(text: string, change: NotebookChange): { readonly text: string; readonly cellId: string } {
  const cells = parseNotebook(text)
  const index = findCell(cells, change)
  const array = memberRange(text, skipBlank(text, 0), 'cells') ?? { start: 0, end: 0 }
  const items = itemRanges(text, array.start)
  const item = items[index]
  const cellId = cells[index]?.id ?? ''
  if (change.mode === 'delete') return { text: withoutItem(text, items, index), cellId }
  if (change.mode === 'replace' && item) {
    const cell = changeCell(JSON.parse(text.slice(item.start, item.end)), change)
    return { text: splice(text, item, serialize(cell, layoutOf(text, item))), cellId }
  }
  const cell = newCell(text, change, new Set(cells.map(({ id }) => id)))
  return { text: withItemAfter(text, array, { items, index }, cell), cellId: cell.id ?? `cell-${index + 1}` }
}

type Cell = Record<string, unknown> & { readonly id?: string }
/** The layout of a cell: one line, or its indentation and the indent of each level. */
type Layout = { readonly indent: string; readonly unit: string; readonly lineEnd: '\n' | '\r\n' } | undefined

/** Position of the chosen cell; -1 for an insert without an id, which goes first. */
function findCell(cells: readonly { readonly id: string }[], { mode, cellId }: NotebookChange): number {
  if (cellId === undefined) {
    if (mode === 'insert') return -1
    throw new Error(`cell_id is missing: which cell to ${mode}?`)
  }
  const byId = cells.findIndex(({ id }) => id === cellId)
  const places = cells.flatMap(({ id }, place) => (id === cellId ? [`cell-${place}`] : []))
  if (places.length > 1)
    throw new Error(`${places.length} cells have the id ${cellId}; name one as ${places.join(' or ')}`)
  const index = byId === -1 ? Number(/^cell-(\d+)$/.exec(cellId)?.[1] ?? -1) : byId
  if (index === -1 || index >= cells.length)
    throw new Error(`There is no cell ${cellId}. The cells: ${cells.map(({ id }) => id).join(', ') || 'none'}.`)
  return index
}

/** Sets the source and, if requested, the type. Outputs of a code cell belong to its old source and are removed. */
function changeCell(cell: Cell, { cellType, source }: NotebookChange): Cell {
  const type = cellType ?? cell['cell_type']
  const { outputs: _outputs, execution_count: _count, attachments: _attachments, ...rest } = cell
  const kept = type === cell['cell_type'] ? cell : rest
  const changed = { ...kept, cell_type: type, source: toLines(source, cell['source']) }
  return type === 'code' ? { ...changed, execution_count: null, outputs: [] } : changed
}

/** Derives the id from the content, so that the same run creates the same file. Ids exist since format 4.5. */
function newCell(text: string, { cellType, source }: NotebookChange, taken: ReadonlySet<string>): Cell {
  if (cellType === undefined) throw new Error('cell_type is missing: a new cell is code or markdown')
  const { nbformat_minor = 0 } = JSON.parse(text) as { nbformat_minor?: number }
  const id = nbformat_minor >= 5 ? { id: freeId(source, taken) } : {}
  const isCode = cellType === 'code'
  return {
    cell_type: cellType,
    ...(isCode ? { execution_count: null } : {}),
    ...id,
    metadata: {},
    ...(isCode ? { outputs: [] } : {}),
    source: toLines(source, []),
  }
}

function freeId(source: string, taken: ReadonlySet<string>): string {
  for (let round = 0; ; round += 1) {
    const id = createHash('sha256').update(`${round}:${source}`).digest('hex').slice(0, 8)
    if (!taken.has(id)) return id
  }
}

/** nbformat stores a source as a list of lines with their ends; a few tools store one string. */
function toLines(source: string, old: unknown): string | readonly string[] {
  return typeof old === 'string' ? source : (source.match(/[^\n]*\n|[^\n]+$/g) ?? [])
}

function layoutOf(text: string, item: JsonRange): Layout {
  const indent = indentBefore(text, item.start)
  const inner = indentBefore(text, skipBlank(text, item.start + 1))
  if (indent === undefined || inner === undefined) return undefined
  return { indent, unit: inner.slice(indent.length) || ' ', lineEnd: mainLineEnd(text) }
}

/** The white space between the start of the line and a position; undefined if there is other text. */
function indentBefore(text: string, at: number): string | undefined {
  return /\n([ \t]*)$/.exec(text.slice(Math.max(0, at - 200), at))?.[1]
}

function serialize(cell: Cell, layout: Layout): string {
  if (!layout) return JSON.stringify(cell)
  const { indent, unit, lineEnd } = layout
  return withLineEnd(JSON.stringify(cell, null, unit).replaceAll('\n', `\n${indent}`), lineEnd)
}

function splice(text: string, { start, end }: JsonRange, piece: string): string {
  return text.slice(0, start) + piece + text.slice(end)
}

function withoutItem(text: string, items: readonly JsonRange[], index: number): string {
  const item = items[index] ?? { start: 0, end: 0 }
  const next = items[index + 1]
  if (next) return splice(text, { start: item.start, end: next.start }, '')
  return splice(text, { start: items[index - 1]?.end ?? item.start, end: item.end }, '')
}

function withItemAfter(
  text: string,
  array: JsonRange,
  { items, index }: { readonly items: readonly JsonRange[]; readonly index: number },
  cell: Cell,
): string {
  const [first] = items
  if (!first) return splice(text, array, serializeOnly(text, array, cell))
  const piece = serialize(cell, layoutOf(text, first))
  const before = text.slice(skipBlank(text, array.start) + 1, first.start)
  const item = items[index]
  if (!item) return splice(text, { start: first.start, end: first.start }, `${piece},${before}`)
  return splice(text, { start: item.end, end: item.end }, `,${before}${piece}`)
}

/** The first cell of an empty notebook, with nbformat's layout: one space per level. */
function serializeOnly(text: string, array: JsonRange, cell: Cell): string {
  if (!text.includes('\n')) return `[${serialize(cell, undefined)}]`
  const lineEnd = mainLineEnd(text)
  const line = text.slice(text.lastIndexOf('\n', array.start) + 1)
  const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
  const unit = indent || ' '
  const piece = serialize(cell, { indent: indent + unit, unit, lineEnd })
  return `[${lineEnd}${indent}${unit}${piece}${lineEnd}${indent}]`
}
