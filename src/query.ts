import type { RunEvent } from './contracts/events.ts'
import { actOn } from './query/actOn.ts'
import { askModel, interrupted } from './query/askModel.ts'
import { deliverAnswers } from './query/endTurn.ts'
import { endWith, type Loop, type LoopEnd, tellAgent } from './query/Loop.ts'
import { ensureContextFits } from './query/shorten.ts'

export type { Loop, LoopEnd } from './query/Loop.ts'

/**
 * The agent loop: asks the model and acts on its answer until something ends it. Yields every event before the effect
 * that it announces. Prints and saves nothing itself. Throws `RunError` only if records cannot be written.
 */
export async function* query(loop: Loop): AsyncGenerator<RunEvent, LoopEnd, undefined> {
  let end: LoopEnd | undefined
  try {
    end = yield* turns(loop)
    return end
  } finally {
    await loop.background?.end(end?.reason ?? 'internal')
  }
}

async function* turns(loop: Loop): AsyncGenerator<RunEvent, LoopEnd, undefined> {
  while (true) {
    if (loop.signal.aborted) return interrupted(loop)
    yield* deliverAnswers(loop)
    const arrivals = loop.arrivals?.()
    if (arrivals !== undefined) yield* tellAgent(loop, arrivals)
    const halt = loop.halted()
    if (halt !== undefined) return endWith(loop, halt.reason, halt.detail)
    const limit = loop.limits.reached()
    if (limit !== undefined) return endWith(loop, limit.reason, limit.detail)
    yield* ensureContextFits(loop)
    if (loop.signal.aborted) return interrupted(loop)
    const turn = yield* askModel(loop)
    const end = 'reason' in turn ? turn : yield* actOn(turn, loop)
    yield* loop.drain()
    if (end !== undefined) return end
  }
}
