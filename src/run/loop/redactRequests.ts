import type { Message, ToolResultContent, UserContent } from '../../contracts/messages.ts'
import type { ModelClient, ModelRequest } from '../../contracts/model.ts'

/**
 * A model client whose requests contain no known secret, wherever it came from: the task, a tool, a hook, a server, a
 * side request. The model's own messages are sent back unchanged. Equal blocks stay equal.
 */
export function redactRequests(client: ModelClient, forModel: (text: string) => string): ModelClient {
  const known = new WeakMap<UserContent, UserContent>()
  const redactBlock = (block: UserContent): UserContent => {
    const found = known.get(block)
    if (found !== undefined) return found
    const redacted = withoutSecrets(block, forModel)
    known.set(block, redacted)
    return redacted
  }
  const knownTools = new WeakMap<Offered, Offered>()
  const redactTool = (tool: Offered): Offered => {
    const found = knownTools.get(tool) ?? (JSON.parse(forModel(JSON.stringify(tool))) as Offered)
    knownTools.set(tool, found)
    return found
  }
  const knownMessages = new WeakMap<Message, Message>()
  const redactMessage = (message: Message): Message => {
    if (message.role !== 'user') return message
    const redacted = knownMessages.get(message) ?? { ...message, content: message.content.map(redactBlock) }
    knownMessages.set(message, redacted)
    return redacted
  }
  return {
    name: client.name,
    host: client.host,
    stream: (request, signal) =>
      client.stream(
        {
          ...request,
          system: forModel(request.system),
          tools: request.tools.map(redactTool),
          messages: request.messages.map(redactMessage),
        },
        signal,
      ),
    close: () => client.close(),
  }
}

type Offered = ModelRequest['tools'][number]

function withoutSecrets(block: UserContent, forModel: (text: string) => string): UserContent {
  if (block.type === 'text') return { ...block, text: forModel(block.text) }
  if (block.type !== 'tool_result') return block
  const { content } = block
  if (typeof content === 'string') return { ...block, content: forModel(content) }
  const redact = (part: ToolResultContent) => (part.type === 'text' ? { ...part, text: forModel(part.text) } : part)
  return { ...block, content: content.map(redact) }
}
