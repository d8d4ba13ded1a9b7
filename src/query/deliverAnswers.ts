import type { RunEvent } from '../contracts/events.ts'
import { type Loop, tellAgent } from './Loop.ts'

type Answers = AsyncGenerator<RunEvent, boolean, undefined>

/** Sends the agent the new answers of its background agents; false if there are none. */
export async function* deliverAnswers(loop: Loop): Answers {
  const answers = loop.background?.take() ?? []
  if (answers.length === 0) return false
  yield* tellAgent(loop, answers.join('\n\n'))
  return true
}

/** The same after all of them have answered: an agent is not done before its background agents are. */
export async function* awaitAnswers(loop: Loop): Answers {
  await loop.background?.settled()
  return yield* deliverAnswers(loop)
}
