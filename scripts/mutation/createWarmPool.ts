import { ForksPoolWorker, type PoolOptions, type PoolWorker } from 'vitest/node'

type Runners = NonNullable<PoolOptions['project']['config']['poolRunner']>
type Listener = Parameters<PoolWorker['on']>[1]

/** Tests of other mutants may leave something behind: a new process after so many. */
const RUNS = 60

/**
 * One process for the tests of many mutants: a new one would take ten times as long as the tests.
 */
export function createWarmPool(): Runners {
  let warm: { readonly worker: ForksPoolWorker; runs: number } | undefined

  async function end(): Promise<void> {
    const last = warm
    warm = undefined
    await last?.worker.stop()
  }

  return {
    name: 'warm',
    createPoolWorker(options) {
      const listeners: [string, Listener][] = []
      let worker: ForksPoolWorker | undefined
      const forget = () => {
        for (const [event, listener] of listeners.splice(0)) worker?.off(event, listener)
      }
      return {
        name: 'warm',
        cacheFs: true,
        async start() {
          if (warm !== undefined && warm.runs >= RUNS) await end()
          if (warm === undefined) {
            warm = { worker: new ForksPoolWorker(options), runs: 0 }
            await warm.worker.start()
          }
          warm.runs += 1
          worker = warm.worker
        },
        on(event, listener) {
          listeners.push([event, listener])
          worker?.on(event, listener)
        },
        off: (event, listener) => worker?.off(event, listener),
        send(message) {
          if (message.type !== 'stop') return worker?.send(message)
          const stopped = { type: 'stopped', __vitest_worker_response__: true }
          for (const [event, listener] of [...listeners]) if (event === 'message') listener(stopped)
        },
        stop: async () => forget(),
        deserialize: (data) => data,
      }
    },
  }
}
