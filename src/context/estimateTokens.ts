import type { Message } from '../contracts/messages.ts'

/** A rough average of English and code; the API's own counts take precedence. */
const CHARACTERS_PER_TOKEN = 3.5
/** The cost of an image of the largest size. */
const TOKENS_OF_IMAGE = 1_600
/** A page of a PDF is about 3,000 tokens and 100 kB. */
const CHARACTERS_PER_TOKEN_OF_DOCUMENT = 40

/** About how many tokens these messages are. */
export function estimateTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message.content), 0)
}

function tokensOf(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / CHARACTERS_PER_TOKEN)
  if (typeof value !== 'object' || value === null) return 1
  const { type, source } = value as { readonly type?: unknown; readonly source?: { readonly data?: string } }
  if (type === 'image') return TOKENS_OF_IMAGE
  if (type === 'document') return Math.ceil((source?.data?.length ?? 0) / CHARACTERS_PER_TOKEN_OF_DOCUMENT)
  return Object.values(value).reduce<number>((sum, item) => sum + tokensOf(item), 0)
}
