import type { ToolResultContent } from '../contracts/messages.ts'
import type { BlobStore, ToolResult } from '../Tool.ts'

/** A result that fits the conversation, and the blob that holds the whole where it did not. */
export type LimitedResult = { readonly result: ToolResult; readonly blob?: string }

/** Text above `maxChars` goes to a blob file as a whole; the model gets its head, its tail and the path. */
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

/** What is shown of each end: enough to see what it is, and whether it is worth opening. */
const SHOWN_CHARACTERS = 2000

function preview(text: string, maxChars: number, blob: string): string {
  const half = Math.min(SHOWN_CHARACTERS, Math.floor(maxChars / 2))
  const head = text.slice(0, half).toWellFormed()
  const tail = text.slice(-half).toWellFormed()
  const left = text.length - head.length - tail.length
  return `${head}\n\n… ${left} characters left out; the whole is in ${blob}: Read parts of it, or Grep it …\n\n${tail}`
}
