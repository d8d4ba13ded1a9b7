import type { TranscriptRecord } from '../../contracts/events.ts'

/** Checks that every call gets one result, and that every result has a call. */
export type Pairing = {
  /** What is wrong with the next record. */
  add(record: TranscriptRecord): string[]
  /** Calls without a result so far, in order. */
  open(): string[]
}

/**
 * The pairing in one run. Keeps only the ids of open calls. A discarded answer closes its calls, including those
 * started early. The first results of a resumed run belong to calls of the earlier run.
 */
export function createPairing(): Pairing {
  const asked = new Map<string, string | null>()
  const started = new Set<string>()
  let isResuming = false
  const addSystem = (record: Extract<TranscriptRecord, { type: 'system' }>): void => {
    if (record.subtype === 'init') isResuming = record.resumed_from !== undefined
    else if (record.subtype === 'tool_intent') started.add(record.tool_use_id)
    else if (record.subtype === 'turn_discarded') {
      for (const { tool_use_id } of record.early) started.delete(tool_use_id)
      for (const [id, owner] of asked) if (owner === record.parent_tool_use_id) asked.delete(id)
    }
  }
  return {
    add(record) {
      if (record.type === 'system') addSystem(record)
      if (record.type === 'assistant') {
        isResuming = false
        const uses = record.message.content.filter((block) => block.type === 'tool_use')
        for (const { id } of uses) asked.set(id, record.parent_tool_use_id)
      }
      if (record.type !== 'user') return []
      const results = record.message.content.filter((block) => block.type === 'tool_result')
      return results.flatMap(({ tool_use_id: id }) => {
        started.delete(id)
        return asked.delete(id) || isResuming ? [] : [`the result ${id} has no call that waits for it`]
      })
    },
    open: () => [...new Set([...asked.keys(), ...started])],
  }
}
