import { type ExitReason, messageOf, RunError } from '../contracts/errors.ts'
import type { RunEvent } from '../contracts/events.ts'
import { createChannel } from '../lib/async/channel.ts'

/** Does the work of one agent, and comes to what the one that started it is told. */
export type BackgroundWork = (send: (event: RunEvent) => Promise<void>, signal: AbortSignal) => Promise<string>

/** Sub-agents that work while the loop that started them goes on. */
export interface BackgroundAgents {
  /** Starts one. Each of its events is recorded before it goes on. */
  start(agentId: string, work: BackgroundWork): void
  /** The ids of those that are still at work. */
  running(): readonly string[]
  /** Answers that came since the last time. Throws where one failed by a defect, as a call in the foreground does. */
  take(): readonly string[]
  /** Settles when none is at work any more. */
  settled(): Promise<void>
  /** Ends those that are still at work, and waits for that. */
  end(reason: ExitReason): Promise<void>
}

type Working = { readonly ending: AbortController; readonly done: Promise<void> }

/** No agent yet. `join` has the events of each read into the run's stream. */
export function createBackgroundAgents(
  join: (events: AsyncGenerator<RunEvent, void, undefined>) => void,
): BackgroundAgents {
  const working = new Map<string, Working>()
  const answers: string[] = []
  let defect: RunError | undefined
  const settled = async (): Promise<void> => {
    while (working.size > 0) await Promise.all([...working.values()].map(({ done }) => done))
  }
  return {
    start(agentId, work) {
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
      working.set(agentId, { ending, done: run() })
    },
    running: () => [...working.keys()],
    take() {
      if (defect !== undefined) throw defect
      return answers.splice(0)
    },
    settled,
    async end(reason) {
      for (const { ending } of working.values()) {
        ending.abort(new RunError(reason, 'The agent that started this one has ended.'))
      }
      await settled()
    },
  }
}
