import type { AssistantContent, Message } from '../contracts/messages.ts'

/**
 * A function that gives every tool use of the next message a unique id, because the API rejects a conversation with an
 * empty or repeated one. Valid ids are kept.
 */
export function createIdRepair(messages: readonly Message[]): (block: AssistantContent) => AssistantContent {
  const seen = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.content) if (block.type === 'tool_use') seen.add(block.id)
  }
  return (block) => {
    if (block.type !== 'tool_use') return block
    const id = isGood(block.id) && !seen.has(block.id) ? block.id : freeId(block.id, seen)
    seen.add(id)
    return id === block.id ? block : { ...block, id }
  }
}

/** What the API accepts as the id of a tool use. */
function isGood(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(id)
}

function freeId(id: string, seen: ReadonlySet<string>): string {
  const base = isGood(id) ? id.slice(0, 100) : 'toolu_repaired'
  let number = 2
  while (seen.has(`${base}_${number}`)) number++
  return `${base}_${number}`
}
