import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { ImageBlock, ToolResultContent } from '../../contracts/messages.ts'
import { readImageInfo } from '../../lib/media/readImageInfo.ts'
import { headAndTail } from '../../lib/process/headAndTail.ts'
import type { BlobStore } from '../../Tool.ts'

/** 25,000 tokens at three bytes each, a low estimate for text: the rest is in a blob. */
const INLINE_TEXT_BYTES = 75_000
const MAX_IMAGES = 10
const INLINE_IMAGE_BYTES = 10 * 1024 * 1024

/**
 * What the model sees of a server's answer: its text up to 25,000 tokens, then its first images. What does not fit or
 * cannot be shown is stored in a blob, and a line says where.
 */
export function mapContent(
  { content, structuredContent }: Pick<CallToolResult, 'content' | 'structuredContent'>,
  server: string,
  blobs: BlobStore,
): readonly ToolResultContent[] {
  const texts: string[] = []
  const images: ImageBlock[] = []
  let imageBytes = 0
  const addBinary = (data: string, mimeType: string, uri?: string): void => {
    const bytes = Buffer.from(data, 'base64')
    const image = toImage(bytes)
    if (image && images.length < MAX_IMAGES && imageBytes + bytes.length <= INLINE_IMAGE_BYTES) {
      images.push(image)
      imageBytes += bytes.length
      return
    }
    const what = uri === undefined ? mimeType : `resource ${uri}, ${mimeType}`
    texts.push(`[${what}, ${bytes.length} bytes: ${blobs.put(bytes)}]`)
  }
  for (const block of content) {
    if (block.type === 'text') texts.push(block.text)
    else if (block.type === 'image' || block.type === 'audio') addBinary(block.data, block.mimeType)
    else if (block.type === 'resource_link') {
      const { uri, name, mimeType } = block
      const type = mimeType === undefined ? '' : ` (${mimeType})`
      texts.push(`[resource ${name}${type}: ReadMcpResource with server "${server}" and uri "${uri}" reads it]`)
    } else {
      const { uri, mimeType = 'application/octet-stream' } = block.resource
      if ('text' in block.resource) texts.push(`[resource ${uri}]\n${block.resource.text}`)
      else addBinary(block.resource.blob, mimeType, uri)
    }
  }
  const hasText = content.some((block) => block.type === 'text')
  if (structuredContent !== undefined && !hasText) texts.push(JSON.stringify(structuredContent))
  const text = texts.join('\n').toWellFormed()
  if (text.trim() === '' && images.length === 0) return [{ type: 'text', text: '(the answer is empty)' }]
  return [...(text.trim() === '' ? [] : [{ type: 'text', text: limit(text, blobs) } as const]), ...images]
}

function limit(text: string, blobs: BlobStore): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= INLINE_TEXT_BYTES) return text
  const characters = Math.floor((INLINE_TEXT_BYTES * text.length) / bytes)
  return headAndTail(text, characters, `the whole answer: ${blobs.put(text)}`)
}

/** The API's limit for one image is 5 MB of base64, and 8,000 pixels a side: Messages API, vision. */
const MAX_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4

/** The bytes as an image block; undefined if the API would reject them, whatever type the sender claims. */
function toImage(bytes: Buffer): ImageBlock | undefined {
  const { mediaType, width, height } = readImageInfo(bytes) ?? {}
  const isTooLarge = bytes.length > MAX_IMAGE_BYTES || Math.max(width ?? 0, height ?? 0) > 8_000
  if (mediaType === undefined || isTooLarge) return undefined
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: bytes.toString('base64') } }
}
