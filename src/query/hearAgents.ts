import type { RunEvent } from '../contracts/events.ts'
import { type Loop, tellAgent } from './Loop.ts'

type Told = AsyncGenerator<RunEvent, boolean, undefined>

/** Tells the agent what its background agents have answered; false where there is nothing new. */
export async function* hearAgents(loop: Loop): Told {
  const answers = loop.background?.take() ?? []
  if (answers.length === 0) return false
  yield* tellAgent(loop, answers.join('\n\n'))
  return true
}

/** The same when all of them have answered: who started them is not done before. */
export async function* awaitAgents(loop: Loop): Told {
  await loop.background?.settled()
  return yield* hearAgents(loop)
}
