import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { ImageBlock, ToolResultContent } from '../../contracts/messages.ts'
import { readImageInfo } from '../../lib/media/readImageInfo.ts'
import { headAndTail } from '../../lib/process/headAndTail.ts'
import type { BlobStore } from '../../Tool.ts'

/** 25,000 tokens at three bytes each, a low estimate for text: the rest is in a blob. */
const INLINE_TEXT_BYTES = 75_000
const MAX_IMAGES = 10
const INLINE_IMAGE_BYTES = 10 * 1024 * 1024

type Block = CallToolResult['content'][number]
type Parts = { readonly texts: string[]; readonly images: ImageBlock[]; imageBytes: number }

/**
 * What the model sees of a server's answer: its text up to 25,000 tokens, then its first images. What does not fit or
 * cannot be shown is stored in a blob, and a line says where.
 */
export function mapContent(
  result: Pick<CallToolResult, 'content' | 'structuredContent'>,
  server: string,
  blobs: BlobStore,
): readonly ToolResultContent[] {
  const parts: Parts = { texts: [], images: [], imageBytes: 0 }
  for (const block of result.content) addBlock(block, parts, { server, blobs })
  const hasText = result.content.some((block) => block.type === 'text')
  if (result.structuredContent !== undefined && !hasText) parts.texts.push(JSON.stringify(result.structuredContent))
  const text = parts.texts.join('\n').toWellFormed()
  if (text.trim() === '' && parts.images.length === 0) return [{ type: 'text', text: '(the answer is empty)' }]
  return [...(text.trim() === '' ? [] : [{ type: 'text', text: limit(text, blobs) } as const]), ...parts.images]
}

type Place = { readonly server: string; readonly blobs: BlobStore }

function addBlock(block: Block, parts: Parts, place: Place): void {
  if (block.type === 'text') parts.texts.push(block.text)
  else if (block.type === 'image' || block.type === 'audio') addBinary(block.data, block.mimeType, parts, place)
  else if (block.type === 'resource_link') {
    const { uri, name, mimeType } = block
    parts.texts.push(
      `[resource ${name}${mimeType === undefined ? '' : ` (${mimeType})`}: ReadMcpResource with server "${place.server}" and uri "${uri}" reads it]`,
    )
  } else addResource(block.resource, parts, place)
}

function addResource(resource: Extract<Block, { type: 'resource' }>['resource'], parts: Parts, place: Place): void {
  if ('text' in resource) parts.texts.push(`[resource ${resource.uri}]\n${resource.text}`)
  else addBinary(resource.blob, resource.mimeType ?? 'application/octet-stream', parts, place, resource.uri)
}

function addBinary(data: string, mimeType: string, parts: Parts, { blobs }: Place, uri?: string): void {
  const bytes = Buffer.from(data, 'base64')
  const image = toImage(bytes)
  const isRoom = parts.images.length < MAX_IMAGES && parts.imageBytes + bytes.length <= INLINE_IMAGE_BYTES
  if (image !== undefined && isRoom) {
    parts.images.push(image)
    parts.imageBytes += bytes.length
    return
  }
  const what = uri === undefined ? mimeType : `resource ${uri}, ${mimeType}`
  parts.texts.push(`[${what}, ${bytes.length} bytes: ${blobs.put(bytes)}]`)
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
