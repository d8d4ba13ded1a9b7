import type { ToolResultContent } from '../../contracts/messages.ts'
import type { BlobStore, ToolResult } from '../../Tool.ts'

/** A result that fits the conversation, and the blob with the full result if it did not. */
export type LimitedResult = { readonly result: ToolResult; readonly blob?: string }

/** Stores text over `maxChars` in a blob file; the model gets its head, its tail and the path. */
export function limitResult(result: ToolResult, maxChars: number, blobs: BlobStore): LimitedResult {
  if (typeof result.content === 'string') {
    if (result.content.length <= maxChars) return { result }
    const blob = blobs.put(result.content)
    return { result: { ...result, content: preview(result.content, maxChars, blob) }, blob }
  }
  let blob: string | undefined
  const content = result.content.map((block): ToolResultContent => {
    if (block.type !== 'text' || block.text.length <= maxChars) return block
    blob = blobs.put(block.text)
    return { type: 'text', text: preview(block.text, maxChars, blob) }
  })
  return blob === undefined ? { result } : { result: { ...result, content }, blob }
}

/** The characters shown of each end: enough to decide whether to open the file. */
const SHOWN_CHARACTERS = 2000

function preview(text: string, maxChars: number, blob: string): string {
  const half = Math.min(SHOWN_CHARACTERS, Math.floor(maxChars / 2))
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, '')
  const tail = text.slice(-half).replace(/^[\udc00-\udfff]/, '')
  const left = text.length - head.length - tail.length
  const parts = `${head}\n\n… ${left} characters left out; the full text is in ${blob}: Read parts of it, or Grep it …\n\n${tail}`
  return parts.toWellFormed()
}
