import * as z from 'zod'
import type { ToolResultContent } from '../../contracts/messages.ts'
import { headAndTail } from '../process/headAndTail.ts'
import { readImageInfo } from './readImageInfo.ts'

type NotebookCell = ReturnType<typeof parseNotebook>[number]
type NotebookOutput =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mediaType: string; readonly base64: string }

/** A text, as one or in parts. */
const joined = z.union([z.string(), z.array(z.string()).transform((parts) => parts.join(''))])
const outputSchema = z.looseObject({
  output_type: z.string(),
  text: joined.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
  traceback: z.array(z.string()).optional(),
})
const cellSchema = z.looseObject({
  cell_type: z.enum(['code', 'markdown', 'raw']),
  id: z.string().optional(),
  source: joined,
  outputs: z.array(outputSchema).optional(),
})
const notebookSchema = z.looseObject({ nbformat: z.literal(4), cells: z.array(cellSchema) })

/**
 * The cells of a notebook file (nbformat 4). Throws one sentence if the text is something else. Source:
 * https://nbformat.readthedocs.io/en/latest/format_description.html
 */
export function parseNotebook(text: string) {
  const parsed = notebookSchema.safeParse(parseJson(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(
      `The file is not a notebook of format 4: ${issue?.path.join('.') || 'the file'}: ${issue?.message}. ${AS_TEXT}`,
    )
  }
  return parsed.data.cells.map((cell, index) => ({
    /** The notebook's own, or `cell-<index>` in formats before 4.5. */
    id: cell.id ?? `cell-${index}`,
    type: cell.cell_type,
    source: cell.source,
    outputs: (cell.outputs ?? []).flatMap(toOutputs),
  }))
}

const AS_TEXT = 'Read with an offset shows it as text.'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The file is not a notebook: its JSON is broken. ${AS_TEXT}`, { cause: error })
  }
}

function toOutputs(output: z.infer<typeof outputSchema>): readonly NotebookOutput[] {
  if (output.output_type === 'error') {
    const trace = output.traceback?.join('\n') ?? ''
    return [textOutput(`${output.ename ?? 'Error'}: ${output.evalue ?? ''}\n${trace}`)]
  }
  if (output.text !== undefined) return [textOutput(output.text)]
  const { 'text/plain': plain, ...data } = output.data ?? {}
  const text = joined.safeParse(plain).data
  const images = Object.entries(data).flatMap(([mediaType, value]): NotebookOutput[] => {
    const base64 = joined.safeParse(value).data?.replace(/\s/g, '')
    const isImage = mediaType === 'image/png' || mediaType === 'image/jpeg'
    return isImage && base64 !== undefined ? [{ kind: 'image', mediaType, base64 }] : []
  })
  return text === undefined ? images : [textOutput(text), ...images]
}

/** Terminal colors mean nothing here. */
function textOutput(text: string): NotebookOutput {
  return { kind: 'text', text: text.replace(/\u001b\[[0-9;]*m/g, '') }
}

const MAX_OUTPUT_CHARS = 10_000
const MAX_TOTAL_CHARS = 100_000
const MAX_IMAGES = 10
const MAX_IMAGE_BASE64 = 5 * 1024 * 1024

/** Cells with their outputs for the model: one text, then the images that the outputs hold. Bounded. Pure. */
export function renderNotebook(cells: readonly NotebookCell[]): readonly ToolResultContent[] {
  const text = cells.map(renderCell).join('\n')
  const images = cells
    .flatMap((cell) => cell.outputs)
    .flatMap((output): ToolResultContent[] => {
      if (output.kind !== 'image' || output.base64.length > MAX_IMAGE_BASE64) return []
      const info = readImageInfo(Buffer.from(output.base64, 'base64'))
      if (!info) return []
      return [{ type: 'image', source: { type: 'base64', media_type: info.mediaType, data: output.base64 } }]
    })
  const left = images.length - MAX_IMAGES
  const note = left > 0 ? `\n(the last ${left} of ${images.length} images are left out: name a cell_id)` : ''
  const shown = text === '' ? '(the notebook has no cells)' : headAndTail(text, MAX_TOTAL_CHARS, 'name a cell_id')
  return [{ type: 'text', text: `${shown.toWellFormed()}${note}` }, ...images.slice(0, MAX_IMAGES)]
}

function renderCell({ id, type, source, outputs }: NotebookCell): string {
  const texts = outputs.map((output) =>
    output.kind === 'text' ? headAndTail(output.text.replace(/\n$/, ''), MAX_OUTPUT_CHARS) : `(${output.mediaType})`,
  )
  const result = texts.length === 0 ? '' : `<output>\n${texts.join('\n')}\n</output>\n`
  return `<cell id="${id}" type="${type}">\n${source}${source === '' || source.endsWith('\n') ? '' : '\n'}${result}</cell>`
}
