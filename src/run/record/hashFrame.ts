import { createHash } from 'node:crypto'
import type { InitEvent } from '../../contracts/events.ts'
import type { Loop } from '../../query/Loop.ts'

/** What a loop sends with each request, as hashes for the record. Undefined where that cannot be made; the loop then says why. */
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
