import type { ToolResultContent } from '../../contracts/messages.ts'
import { headAndTail } from '../process/headAndTail.ts'
import type { NotebookCell } from './parseNotebook.ts'
import { readImageInfo } from './readImageInfo.ts'

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
    .slice(0, MAX_IMAGES)
  const shown = text === '' ? '(the notebook has no cells)' : headAndTail(text, MAX_TOTAL_CHARS, 'name a cell_id')
  return [{ type: 'text', text: shown.toWellFormed() }, ...images]
}

function renderCell({ id, type, source, outputs }: NotebookCell): string {
  const texts = outputs.map((output) =>
    output.kind === 'text' ? headAndTail(output.text.replace(/\n$/, ''), MAX_OUTPUT_CHARS) : `(${output.mediaType})`,
  )
  const result = texts.length === 0 ? '' : `<output>\n${texts.join('\n')}\n</output>\n`
  return `<cell id="${id}" type="${type}">\n${source}${source === '' || source.endsWith('\n') ? '' : '\n'}${result}</cell>`
}
