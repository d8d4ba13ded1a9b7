import type { Message, TextBlock, ToolResultBlock, UserContent } from '../../contracts/messages.ts'
import type { ModelRequest, ToolSpec } from '../../contracts/model.ts'

type Parts = Pick<ModelRequest, 'tools' | 'messages'>

/**
 * The request with references, if the API knows them: a result that loads tools has nothing but `tool_reference`
 * blocks, its text follows the results of its message, and these tools come last with `defer_loading`. So the API keeps
 * its cache, whatever is loaded. A loaded tool that no result refers to is sent as any other. Pure.
 */
export function toolReferences({ tools, messages }: Parts, areKnown: boolean) {
  const isLoaded = (tool: Parts['tools'][number]) => areKnown && 'input_schema' in tool && tool.deferred === true
  const loaded = new Set(tools.filter(isLoaded).map(({ name }) => name))
  const referenced = new Set(messages.flatMap(resultsOf).flatMap((result) => referencesOf(result, loaded)))
  const isReferenced = (tool: Parts['tools'][number]) => referenced.has(tool.name)
  return {
    tools: [
      ...tools.filter((tool) => !isReferenced(tool)).map(plainTool),
      ...tools.filter(isReferenced).map((tool) => ({ ...plainTool(tool), defer_loading: true })),
    ],
    messages: messages.map((message) => referring(message, referenced)),
  }
}

function plainTool(tool: Parts['tools'][number]): Parts['tools'][number] {
  if (!('deferred' in tool)) return tool
  const { deferred: _how, ...rest } = tool
  return rest as ToolSpec
}

function resultsOf(message: Message): ToolResultBlock[] {
  if (message.role !== 'user') return []
  return message.content.filter((block): block is ToolResultBlock => block.type === 'tool_result')
}

function referencesOf({ references = [], content }: ToolResultBlock, known: ReadonlySet<string>): readonly string[] {
  return typeof content === 'string' ? references.filter((name) => known.has(name)) : []
}

/** Most messages load nothing and stay as they are, since each turn sends the whole conversation again. */
function referring(message: Message, known: ReadonlySet<string>): Message {
  if (message.role !== 'user' || resultsOf(message).every((result) => result.references === undefined)) return message
  const texts: TextBlock[] = []
  const content = message.content.map((block): UserContent => {
    if (block.type !== 'tool_result' || block.references === undefined) return block
    const { references: _names, ...rest } = block
    const names = referencesOf(block, known)
    if (names.length === 0) return rest
    texts.push({ type: 'text', text: String(rest.content) })
    // Only requests have this block; conversations never do.
    const blocks: unknown = names.map((name) => ({ type: 'tool_reference', tool_name: name }))
    return { ...rest, content: blocks as ToolResultBlock['content'] }
  })
  const end = content.findLastIndex((block) => block.type === 'tool_result') + 1
  return { role: 'user', content: [...content.slice(0, end), ...texts, ...content.slice(end)] }
}
