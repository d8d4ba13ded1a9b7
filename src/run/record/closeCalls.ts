import type { UserEvent } from '../../contracts/events.ts'
import type { AskedCall } from '../../report/transcript/pairing.ts'

const CUT = 'The run was ended at once. What this call did until then is not known.'
const ABORTED = { outcome: 'aborted', duration_ms: 0 } as const

/** The results of the open calls of each loop, the innermost first, for a run that ends at once. */
export function closeCalls(open: readonly AskedCall[]): readonly UserEvent[] {
  const parents = [...new Set(open.map(({ parent }) => parent))].reverse()
  return parents.map((parent_tool_use_id): UserEvent => {
    const calls = open.filter(({ parent }) => parent === parent_tool_use_id)
    const content = calls.map(
      ({ id }) => ({ type: 'tool_result', tool_use_id: id, content: CUT, is_error: true }) as const,
    )
    return {
      type: 'user',
      message: { role: 'user', content },
      parent_tool_use_id,
      tool_use_result: calls.map(({ id, name }) => ({ ...ABORTED, tool_use_id: id, tool_name: name })),
    }
  })
}
