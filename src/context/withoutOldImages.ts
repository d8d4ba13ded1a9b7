import type { Message, ToolResultContent, UserContent } from '../contracts/messages.ts'

const PLACEHOLDER = {
  type: 'text',
  text: '(left out: the request was too large; read the file again if you need it)',
} as const

/**
 * The conversation without its oldest images and documents, and how many that were: at least one, and at least half of
 * their bytes. Undefined if it has none. Each is replaced by a sentence.
 */
export function withoutOldImages(messages: readonly Message[]) {
  const sizes = messages.flatMap((message) => message.content.flatMap((block) => sizesOf(block as UserContent)))
  if (sizes.length === 0) return undefined
  const half = sizes.reduce((sum, size) => sum + size, 0) / 2
  let bytes = 0
  let dropped = 0
  const replace = <Block extends { readonly type: string }>(block: Block): Block | typeof PLACEHOLDER => {
    const size = sizeOf(block)
    if (size === undefined || (dropped > 0 && bytes >= half)) return block
    bytes += size
    dropped++
    return PLACEHOLDER
  }
  const lighter = messages.map((message): Message => {
    if (message.role === 'assistant') return message
    return { role: 'user', content: message.content.map((block) => lighten(block, replace)) }
  })
  return { messages: lighter, dropped }
}

type Replace = <Block extends { readonly type: string }>(block: Block) => Block | typeof PLACEHOLDER

function lighten(block: UserContent, replace: Replace): UserContent {
  if (block.type !== 'tool_result' || typeof block.content === 'string') return replace(block)
  return { ...block, content: block.content.map((part): ToolResultContent => replace(part)) }
}

function sizesOf(block: UserContent): number[] {
  if (block.type !== 'tool_result') return [sizeOf(block) ?? []].flat()
  return typeof block.content === 'string' ? [] : block.content.flatMap((part) => sizeOf(part) ?? [])
}

function sizeOf(block: { readonly type: string }): number | undefined {
  if (block.type !== 'image' && block.type !== 'document') return undefined
  const { source } = block as { readonly source?: { readonly data?: string } }
  return source?.data?.length ?? 0
}
