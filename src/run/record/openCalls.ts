import type { RunEvent, UserEvent } from '../../contracts/events.ts'

/** The calls of a run without a result so far. */
export type OpenCalls = {
  add(event: RunEvent): void
  /** The results of the open calls of each loop, for a run that ends at once: what became of them is not known. */
  close(): readonly UserEvent[]
}

export function createOpenCalls(): OpenCalls {
  const open = new Map<string, { readonly name: string; readonly parent: string | null }>()
  return {
    add(event) {
      if (event.type === 'assistant') {
        for (const block of event.message.content)
          if (block.type === 'tool_use') open.set(block.id, { name: block.name, parent: event.parent_tool_use_id })
      } else if (event.type === 'user') {
        for (const block of event.message.content) if (block.type === 'tool_result') open.delete(block.tool_use_id)
      } else if (event.type === 'system' && event.subtype === 'turn_discarded') {
        for (const [id, { parent }] of open) if (parent === event.parent_tool_use_id) open.delete(id)
      }
    },
    close() {
      // The innermost loop first: its calls are newer than the call that it belongs to.
      const parents = [...new Set([...open.values()].map(({ parent }) => parent))].reverse()
      return parents.map((parent_tool_use_id): UserEvent => {
        const calls = [...open].filter(([, call]) => call.parent === parent_tool_use_id)
        return {
          type: 'user',
          message: {
            role: 'user',
            content: calls.map(([tool_use_id]) => ({ type: 'tool_result', tool_use_id, content: CUT, is_error: true })),
          },
          parent_tool_use_id,
          tool_use_result: calls.map(([tool_use_id, { name }]) => ({ ...ABORTED, tool_use_id, tool_name: name })),
        }
      })
    },
  }
}

const CUT = 'The run was ended at once. What this call did until then is not known.'
const ABORTED = { outcome: 'aborted', duration_ms: 0 } as const
