import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { semanticNumber } from '../../Tool/semanticValues.ts'
import { buildTool, FREE_ON_DEMAND, ONLY_READS } from '../../Tool.ts'

const MAX_MS = 600_000
/** Time that a sleep leaves for the agent to finish. */
const RESERVE_MS = 7_000

/** Waits, but never past the end of the run. */
export const SleepTool = buildTool({
  name: 'Sleep',
  searchHint: 'wait some time',
  ...FREE_ON_DEMAND,
  inputSchema: () =>
    z.strictObject({
      duration_ms: semanticNumber(z.number().positive().max(MAX_MS)).describe('milliseconds, at most 600000'),
      reason: z.string().optional().describe('what is waited for'),
    }),
  outputSchema: () => z.object({ asked: z.number(), slept: z.number() }),
  description: () => 'Waits; at most ten minutes, and never past the end of the run.',
  ...ONLY_READS,
  activity: ({ duration_ms, reason }) => `Waiting ${duration_ms} ms${reason === undefined ? '' : `: ${reason}`}`,
  async *call({ duration_ms: asked }, { signal, deadline }) {
    const start = performance.now()
    const left = Math.max(0, deadline - start - RESERVE_MS)
    await delay(Math.min(asked, left), undefined, { signal })
    yield { type: 'result', data: { asked, slept: Math.round(performance.now() - start) } }
  },
  mapResult: ({ asked, slept }) => ({
    content: `Waited ${slept} ms.${slept < asked - 1 ? ' The run ends soon: finish now.' : ''}`,
  }),
})
