import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import type { NamedReply } from './combineReplies.ts'
import type { HookOptions } from './Hooks.ts'

export type Beside = ReturnType<typeof createBeside>

/** Starts `async` hooks, and tells what they say for the model once they have ended. */
export function createBeside({ redact, onEvent }: HookOptions, tell: (text: string) => void) {
  const running = new Map<Promise<void>, string>()
  const ending = new AbortController()
  const warn = (message: string) => onEvent({ type: 'system', subtype: 'warning', code: 'hook_async', message })
  return {
    /** Starts one. Its `run` must never reject. */
    start(name: string, run: (ending: AbortSignal) => Promise<NamedReply>): void {
      const done = run(ending.signal).then(({ hook, reply }) => {
        running.delete(done)
        if (reply.additionalContext !== undefined) tell(reply.additionalContext)
        if (reply.decision !== 'none' || reply.stop !== undefined || reply.updatedInput !== undefined) {
          const said = reply.stop ?? reply.reason
          warn(`the async hook ${hook} decided, which counts for nothing, because nobody waits for it: ${said}`)
        }
      })
      running.set(done, name)
    },
    async settle(milliseconds: number): Promise<void> {
      const all = Promise.all(running.keys())
      await resultBeforeAbort(all, AbortSignal.timeout(milliseconds))
      for (const name of running.values()) {
        const time = `${milliseconds / 1000} s after the end of the run`
        warn(`the async hook ${redact(name)} still ran ${time} and was ended`)
        ending.abort()
      }
      await all
    },
  }
}
