import { headAndTail } from '../../lib/process/headAndTail.ts'
import type { BlobStore, ToolResult } from '../../Tool.ts'

/** A result that fits the conversation, and the blob with the full result if it did not. */
export type LimitedResult = { readonly result: ToolResult; readonly blob?: string }

/** The characters shown of both ends: enough to decide whether to open the file. */
const SHOWN_CHARACTERS = 4000

/** Stores text over `maxChars` in a blob file; the model gets its head, its tail and the path. */
export function limitResult(result: ToolResult, maxChars: number, blobs: BlobStore): LimitedResult {
  let blob: string | undefined
  const content = mapTexts(result.content, (text) => {
    if (text.length <= maxChars) return text
    blob = blobs.put(text)
    const where = `the full text is in ${blob}: Read parts of it, or Grep it`
    return headAndTail(text, Math.min(SHOWN_CHARACTERS, maxChars), where).toWellFormed()
  })
  return blob === undefined ? { result } : { result: { ...result, content }, blob }
}

export function mapTexts(content: ToolResult['content'], change: (text: string) => string): ToolResult['content'] {
  if (typeof content === 'string') return change(content)
  return content.map((block) => (block.type === 'text' ? { ...block, text: change(block.text) } : block))
}
