import type { RecordedRequest } from '../model/messagesServer.ts'

type Block = Readonly<Record<string, unknown>> & { readonly type: string }
type Message = { readonly role: string; readonly content: string | readonly Block[] }

/** What the model was sent, one section a request: of a conversation that goes on only what is new. */
export function viewRequests(requests: readonly RecordedRequest[]): [string, string][] {
  const views = requests.map(({ body: { messages, ...rest } }) => ({
    fields: fieldsOf(rest),
    said: (messages as Message[]).flatMap(viewMessage),
  }))
  return views.map(({ fields, said }, index) => {
    const before = views.slice(0, index).findLast((each) => each.said.every((line, at) => line === said[at]))
    const changed = Object.entries(fields).filter(([name, value]) => before?.fields[name] !== value)
    const gone = Object.keys(before?.fields ?? {}).filter((name) => !(name in fields))
    const isOther = before === undefined && index > 0
    return [
      `request ${index + 1}${isOther ? ', another conversation' : ''}`,
      [
        ...changed.map(([name, value]) => `${name}: ${value}`),
        ...gone.map((name) => `without ${name}`),
        ...said.slice(before?.said.length ?? 0),
      ].join('\n'),
    ]
  })
}

function fieldsOf({ system, tools, stream: _, ...rest }: Readonly<Record<string, unknown>>): Record<string, string> {
  const text =
    typeof system === 'string' ? system : ((system ?? []) as { text: string }[]).map(({ text }) => text).join('\n---\n')
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, JSON.stringify(value)])),
    system: indented(text),
    tools:
      ((tools ?? []) as { name: string; defer_loading?: boolean }[])
        .map(({ name, defer_loading }) => (defer_loading === true ? `(${name})` : name))
        .join(' ') || '(none)',
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
