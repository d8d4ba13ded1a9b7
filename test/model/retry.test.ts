import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ModelError, type ModelEvent } from '../../src/contracts/model.ts'
import { badStream, ModelFault, stalled } from '../../src/model/ModelFault.ts'
import { type RetryPolicy, retry } from '../../src/model/retry.ts'
import { DEFAULT_TIMERS } from '../../src/model/stream/startSilenceTimer.ts'

const POLICY: RetryPolicy = {
  maxRetries: 9,
  maxRetryWaitMs: 120_000,
  fallbackModels: [],
  timers: DEFAULT_TIMERS,
  random: () => 0,
  waitScale: 0,
}

async function play(faults: readonly ModelFault[], policy: RetryPolicy) {
  const events: ModelEvent[] = []
  let attempts = 0
  // biome-ignore lint/correctness/useYield: every attempt of this model fails
  async function* attempt() {
    const fault = faults[attempts] ?? stalled('first_byte', DEFAULT_TIMERS.firstByteMs)
    attempts += 1
    throw fault
  }
  try {
    for await (const event of retry('m', attempt, policy, new AbortController().signal)) events.push(event)
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError)
    return { events, attempts, error: error as ModelError }
  }
  throw new Error('a model that always fails must end in an error')
}

const phases = ['connect', 'first_byte', 'idle'] as const
const limitOf = {
  connect: DEFAULT_TIMERS.connectMs,
  first_byte: DEFAULT_TIMERS.firstByteMs,
  idle: DEFAULT_TIMERS.idleMs,
}

test('any sequence of silences ends within 130 s, after at least one retry', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('connect', 'connect', 'connect', ...phases), { minLength: 1, maxLength: 20 }),
      async (order) => {
        const faults = order.map((phase) => stalled(phase, limitOf[phase]))
        const { events, attempts, error } = await play(faults, POLICY)
        const silent = events.map((event) => (event.type === 'stall' ? event.silentMs : 0))
        const waited = events.map((event) => (event.type === 'retry' ? event.delayMs : 0))
        const total = [...silent, ...waited].reduce((sum, part) => sum + part, 0)
        expect(total).toBeLessThanOrEqual(130_000)
        expect(attempts).toBeGreaterThanOrEqual(2)
        expect(error).toMatchObject({ kind: 'stalled', reason: 'api_unavailable' })
      },
    ),
  )
})

test('a machine that was paused during the silence still retries once', async () => {
  const { attempts } = await play([stalled('first_byte', 10 * DEFAULT_TIMERS.firstByteMs)], POLICY)
  expect(attempts).toBe(2)
})

test('waits have a jitter of at most a quarter', async () => {
  const fault = new ModelFault({ kind: 'overloaded', reason: 'api_unavailable', message: 'x', canRetry: true })
  const waits = async (random: number) => {
    const { events } = await play(Array(20).fill(fault), { ...POLICY, random: () => random })
    return events.map((event) => (event.type === 'retry' ? event.delayMs : 0))
  }
  expect(await waits(0)).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000])
  expect(await waits(1)).toEqual([375, 750, 1500, 3000, 6000, 12000, 22500, 22500, 22500])
})

test('faults that cost an answer have a smaller retry budget', async () => {
  expect((await play(Array(20).fill(badStream('x', 3)), POLICY)).attempts).toBe(3)
  expect((await play(Array(20).fill(badStream('x')), POLICY)).attempts).toBe(10)
})

test('the fallback model is used after three overloads in a row, not in total', async () => {
  const overloaded = new ModelFault({ kind: 'overloaded', reason: 'api_unavailable', message: 'x', canRetry: true })
  const other = new ModelFault({ kind: 'server_error', reason: 'api_unavailable', message: 'x', canRetry: true })
  const policy = { ...POLICY, fallbackModels: ['small'] }
  const fallbacksOf = async (faults: readonly ModelFault[]) =>
    (await play([...faults, ...Array(20).fill(other)], policy)).events.filter((event) => event.type === 'fallback')
      .length
  expect(await fallbacksOf([overloaded, overloaded, other, overloaded, overloaded])).toBe(0)
  expect(await fallbacksOf([overloaded, overloaded, overloaded])).toBe(1)
})

test('other errors are not retried', async () => {
  // biome-ignore lint/correctness/useYield: it fails
  async function* attempt() {
    throw new TypeError('a defect')
  }
  const stream = retry('m', attempt, POLICY, new AbortController().signal)
  await expect(stream.next()).rejects.toThrow('a defect')
})
