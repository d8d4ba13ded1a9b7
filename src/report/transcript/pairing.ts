import type { RunEvent } from '../../contracts/events.ts'

export type AskedCall = { readonly id: string; readonly name: string; readonly parent: string | null }

/**
 * Checks that every call of a run gets one result, and that every result has a call. Keeps only the ids of open calls. A
 * discarded answer closes its calls, including those started early. The first results of a resumed run belong to calls of
 * the earlier run.
 */
export function createPairing() {
  const asked = new Map<string, AskedCall>()
  const started = new Set<string>()
  let isResuming = false
  const addSystem = (record: Extract<RunEvent, { type: 'system' }>): void => {
    if (record.subtype === 'init') isResuming = record.resumed_from !== undefined
    else if (record.subtype === 'tool_intent') started.add(record.tool_use_id)
    else if (record.subtype === 'turn_discarded') {
      for (const { tool_use_id } of record.early) started.delete(tool_use_id)
      for (const { id, parent } of asked.values()) if (parent === record.parent_tool_use_id) asked.delete(id)
    }
  }
  return {
    /** What is wrong with the next record. */
    add(record: RunEvent): string[] {
      if (record.type === 'system') addSystem(record)
      if (record.type === 'assistant') {
        isResuming = false
        const uses = record.message.content.filter((block) => block.type === 'tool_use')
        for (const { id, name } of uses) asked.set(id, { id, name, parent: record.parent_tool_use_id })
      }
      if (record.type !== 'user') return []
      const results = record.message.content.filter((block) => block.type === 'tool_result')
      return results.flatMap(({ tool_use_id: id }) => {
        started.delete(id)
        return asked.delete(id) || isResuming ? [] : [`the result ${id} has no call that waits for it`]
      })
    },
    /** The calls of complete answers that have no result so far, in order. */
    asked: (): readonly AskedCall[] => [...asked.values()],
    /** Calls without a result so far, in order. */
    open: () => [...new Set([...asked.keys(), ...started])],
  }
}
