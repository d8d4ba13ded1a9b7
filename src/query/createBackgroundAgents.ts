import { type ExitReason, messageOf, RunError } from '../contracts/errors.ts'
import type { RunEvent } from '../contracts/events.ts'
import { createChannel } from '../lib/async/channel.ts'

/** Does the work of one agent. Resolves to the answer for the agent that started it. */
export type BackgroundWork = (send: (event: RunEvent) => Promise<void>, signal: AbortSignal) => Promise<string>

export type BackgroundAgents = ReturnType<typeof createBackgroundAgents>

/** Starts without agents. `join` reads the events of each agent into the run's stream. */
export function createBackgroundAgents(join: (events: AsyncGenerator<RunEvent, void, undefined>) => void) {
  const working = new Map<string, { readonly ending: AbortController; readonly done: Promise<void> }>()
  const answers: string[] = []
  let defect: RunError | undefined
  const settled = async (): Promise<void> => {
    while (working.size > 0) await Promise.all([...working.values()].map(({ done }) => done))
  }
  return {
    start(agentId: string, work: BackgroundWork) {
      const ending = new AbortController()
      const events = createChannel<RunEvent>()
      join(events.read())
      const run = async (): Promise<void> => {
        try {
          answers.push(await work(events.send, ending.signal))
        } catch (error) {
          if (error instanceof RunError) defect ??= error
          else answers.push(`${agentId} failed: ${messageOf(error)}`)
        } finally {
          working.delete(agentId)
          events.close()
        }
      }
      // Not before it is known: work that fails at once would be forgotten first, and waited for without end.
      working.set(agentId, { ending, done: Promise.resolve().then(run) })
    },
    running: () => [...working.keys()],
    /** Answers since the last call. Throws if an agent failed because of a bug, like a foreground call does. */
    take() {
      if (defect !== undefined) throw defect
      return answers.splice(0)
    },
    settled,
    async end(reason: ExitReason) {
      for (const { ending } of working.values()) {
        ending.abort(new RunError(reason, 'The agent that started this one has ended.'))
      }
      await settled()
    },
  }
}
