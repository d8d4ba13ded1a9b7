import type { AssistantContent, Message, ToolUseBlock, UserContent } from '../../contracts/messages.ts'
import { joinMessage } from '../../contracts/messages.ts'
import { hasRedactionMark } from '../../lib/secrets/redact.ts'

/** A conversation that the API accepts, and the calls at its end that have no results. */
export type PairedConversation = { readonly messages: readonly Message[]; readonly open: readonly ToolUseBlock[] }

const LOST = 'The result of this call was lost.'

/**
 * Makes a recorded conversation acceptable to the API: roles alternate, the user is first, every call except those of
 * the last answer has one result in the next message, and every result has its call. An intact conversation is
 * unchanged.
 */
export function pairCalls(read: readonly Message[]): PairedConversation {
  const messages: Message[] = []
  let asked: readonly ToolUseBlock[] = []
  for (const message of read) {
    if (message.role === 'assistant') {
      if (messages.length === 0) continue
      if (asked.length > 0) messages.push({ role: 'user', content: resultsFor(asked, []) })
      const content = message.content.filter((block) => isWhole(block))
      asked = content.filter((block): block is ToolUseBlock => block.type === 'tool_use')
      joinMessage(messages, { role: 'assistant', content })
    } else {
      const others = message.content.filter((block) => block.type !== 'tool_result')
      joinMessage(messages, { role: 'user', content: [...resultsFor(asked, message.content), ...others] })
      asked = []
    }
  }
  return { messages, open: asked }
}

/** False for thinking that a redaction changed: it is signed, so the API would reject it. */
function isWhole(block: AssistantContent): boolean {
  return block.type !== 'thinking' || !hasRedactionMark(`${block.thinking} ${block.signature}`)
}

function resultsFor(asked: readonly ToolUseBlock[], content: readonly UserContent[]): UserContent[] {
  return asked.map(
    ({ id }) =>
      content.find((block) => block.type === 'tool_result' && block.tool_use_id === id) ?? {
        type: 'tool_result',
        tool_use_id: id,
        content: LOST,
        is_error: true,
      },
  )
}
