import { createHash } from 'node:crypto'
import type { InitEvent } from '../../contracts/events.ts'
import type { Loop } from '../../query/Loop.ts'

/**
 * Hashes of the system prompt and tools that each request contains, for the record. Undefined if they cannot be built;
 * the loop then reports why.
 */
export async function hashFrame({ frame }: Loop): Promise<InitEvent['sent']> {
  try {
    const { system, tools } = await frame()
    return { system_sha256: sha256(system), tools_sha256: sha256(JSON.stringify(tools)) }
  } catch {
    return undefined
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
