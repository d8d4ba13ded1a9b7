import type { RecordedRequest } from '../model/messagesServer.ts'

type Block = Readonly<Record<string, unknown>> & { readonly type: string }
type Message = { readonly role: string; readonly content: string | readonly Block[] }

/** What the model was sent, one section a request: of a conversation that goes on only what is new. */
export function viewRequests(requests: readonly RecordedRequest[]): [string, string][] {
  return requests.map((request, index) => {
    const { messages, ...rest } = request.body
    const before = requests.slice(0, index).findLast(({ body }) => goesOn(messages, body.messages))?.body
    const { messages: known = [], ...restBefore } = before ?? {}
    const fields = { ...fieldsOf(rest) }
    const fieldsBefore = before === undefined ? {} : fieldsOf(restBefore)
    const title =
      before === undefined && index > 0 ? `request ${index + 1}, another conversation` : `request ${index + 1}`
    const changed = Object.entries(fields).filter(([name, value]) => fieldsBefore[name] !== value)
    const gone = Object.keys(fieldsBefore).filter((name) => !(name in fields))
    return [
      title,
      [
        ...changed.map(([name, value]) => `${name}: ${value}`),
        ...gone.map((name) => `without ${name}`),
        ...(messages as Message[]).slice(known.length).flatMap(viewMessage),
      ].join('\n'),
    ]
  })
}

function goesOn(messages: readonly Message[], before: readonly Message[] = []): boolean {
  return (
    before.length <= messages.length &&
    before.every((each, at) => viewMessage(each).join() === viewMessage(messages[at] as Message).join())
  )
}

function fieldsOf({ system, tools, stream: _, ...rest }: Readonly<Record<string, unknown>>): Record<string, string> {
  const text =
    typeof system === 'string' ? system : ((system ?? []) as { text: string }[]).map(({ text }) => text).join('\n---\n')
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, JSON.stringify(value)])),
    system: indented(text),
    tools: ((tools ?? []) as { name: string; defer_loading?: boolean }[])
      .map(({ name, defer_loading }) => (defer_loading === true ? `(${name})` : name))
      .join(' '),
  }
}

function viewMessage({ role, content }: Message): string[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return blocks.map((block) => viewBlock(role, block as Block))
}

function viewBlock(role: string, block: Block): string {
  if (block.type === 'text') return `${role}: ${indented(String(block['text']))}`
  if (block.type === 'tool_use') return `${role} calls ${block['name']}: ${JSON.stringify(block['input'])}`
  if (block.type !== 'tool_result') return `${role}: ${JSON.stringify({ ...block, cache_control: undefined })}`
  const { content } = block
  const text =
    typeof content === 'string'
      ? content
      : ((content ?? []) as Block[])
          .map((each) => (each.type === 'text' ? each['text'] : JSON.stringify(each)))
          .join('\n')
  return `${block['is_error'] === true ? 'error' : 'result'}: ${indented(text)}`
}

const indented = (text: string) => text.replaceAll('\n', '\n  ')
