import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ModelError, type ModelEvent } from '../../src/contracts/model.ts'
import { readRetryAfter } from '../../src/model/classifyError.ts'
import { badStream, type FaultDetails, ModelFault, stalled } from '../../src/model/ModelFault.ts'
import { type RetryPolicy, retry } from '../../src/model/retry.ts'
import { DEFAULT_TIMERS, type ModelTimers } from '../../src/model/stream/startSilenceTimer.ts'
import type { AttemptEvent } from '../../src/model/stream/streamAttempt.ts'

const TIMERS: ModelTimers = { connectMs: 1_000, firstByteMs: 6_000, idleMs: 4_000, pingOnlyMs: 12_000 }

const POLICY: RetryPolicy = {
  maxRetries: 9,
  maxRetryWaitMs: 120_000,
  fallbackModels: [],
  timers: TIMERS,
  random: () => 0,
  waitScale: 0,
}

const USAGE = { input_tokens: 7, output_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
const BEGUN: AttemptEvent = { type: 'begun', spent: () => USAGE }
const BLOCK: AttemptEvent = { type: 'block', index: 0, block: { type: 'text', text: 'hello' } }
const MESSAGE: AttemptEvent = {
  type: 'message',
  message: {
    ...{ id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'hello' }] },
    ...{ stop_reason: 'end_turn', usage: USAGE },
  },
  durationMs: 1,
  requestId: null,
}

function fault(details: Partial<FaultDetails> = {}): ModelFault {
  return new ModelFault({
    kind: 'server_error',
    reason: 'api_unavailable',
    message: 'no luck',
    canRetry: true,
    ...details,
  })
}
const overloaded = fault({ kind: 'overloaded', message: 'busy', status: 529 })

type Played = {
  readonly events: readonly ModelEvent[]
  readonly asked: readonly { readonly model: string; readonly silentMs: number }[]
  readonly error?: unknown
}

/** Plays attempts: what each sends, and the fault it ends with, if any. What is not listed answers. */
async function play(
  attempts: readonly (readonly (AttemptEvent | Error)[])[],
  policy: Partial<RetryPolicy> = {},
  signal = new AbortController().signal,
): Promise<Played> {
  const asked: { model: string; silentMs: number }[] = []
  const events: ModelEvent[] = []
  async function* attempt(model: string, silentMs: number) {
    const parts = attempts[asked.length] ?? [BEGUN, BLOCK, MESSAGE]
    asked.push({ model, silentMs })
    for (const part of parts) {
      if (part instanceof Error) throw part
      yield part
    }
  }
  try {
    for await (const event of retry('large', attempt, { ...POLICY, ...policy }, signal)) events.push(event)
  } catch (error) {
    return { events, asked, error }
  }
  return { events, asked }
}

const typesOf = ({ events }: Played) => events.map(({ type }) => type)
const only = (events: readonly ModelEvent[], type: ModelEvent['type']) => events.filter((event) => event.type === type)

describe('an answer', () => {
  it('is handed on block by block and ends the request, whatever comes after it', async () => {
    const played = await play([[BEGUN, BLOCK, BLOCK, MESSAGE, BLOCK]])
    expect(typesOf(played)).toEqual(['block', 'block', 'message'])
    expect(played.asked).toEqual([{ model: 'large', silentMs: 0 }])
    expect(played.error).toBeUndefined()
  })

  it('that breaks off is void, with its blocks and what it cost at least', async () => {
    const broken = badStream('cut in the middle')
    const { events } = await play([[BEGUN, BLOCK, BLOCK, broken], [broken], [BEGUN, broken]])
    expect(events.map(({ type }) => type)).toEqual([
      'block',
      'block',
      'discarded',
      'retry',
      'retry',
      'discarded',
      'retry',
      'block',
      'message',
    ])
    expect(only(events, 'discarded')).toEqual([
      { type: 'discarded', reason: 'cut in the middle', blocks: 2, model: 'large', usage: USAGE },
      { type: 'discarded', reason: 'cut in the middle', blocks: 0, model: 'large', usage: USAGE },
    ])
  })

  it('without an end is a defect, not a fault of the model, as is any other error', async () => {
    const { error } = await play([[BEGUN, BLOCK]])
    expect(error).toEqual(new Error('an attempt ended without a message'))
    expect((await play([[new TypeError('a defect')]])).error).toEqual(new TypeError('a defect'))
  })
})

describe('another attempt', () => {
  it('is announced with its number, the wait, and what went wrong', async () => {
    const { events, asked } = await play([[fault({ status: 500 })], [fault({ retryAfterMs: 1_500.2 })]])
    const common = { type: 'retry', maxRetries: 9, error: 'server_error', detail: 'no luck' }
    expect(only(events, 'retry')).toEqual([
      { ...common, attempt: 1, delayMs: 500, status: 500, source: 'backoff' },
      { ...common, attempt: 2, delayMs: 1501, status: null, source: 'retry-after' },
    ])
    expect(asked).toHaveLength(3)
  })

  it('is not made where it cannot help; the last word has the status and the cause', async () => {
    const refused = fault({
      kind: 'authentication_failed',
      reason: 'api_unavailable',
      message: 'bad key',
      canRetry: false,
      status: 401,
    })
    const { error, asked } = await play([[refused]])
    expect(asked).toHaveLength(1)
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ kind: 'authentication_failed', message: 'bad key', status: 401, cause: refused })
  })

  it('is not made when the budget is used up: the last word counts the attempts, and says that nothing was done', async () => {
    const once = await play(Array(3).fill([fault()]), { maxRetries: 0 })
    expect(once.error).toMatchObject({ message: 'no luck; the run is safe to start again', status: null })
    const { error, asked, events } = await play(Array(3).fill([overloaded]), { maxRetries: 1 })
    expect(asked).toHaveLength(2)
    expect(only(events, 'retry')).toHaveLength(1)
    expect(error).toMatchObject({
      message: 'API overloaded: busy (after 2 attempts); the run is safe to start again',
      status: 529,
    })
    // Of a fault that costs a whole answer, fewer.
    expect((await play(Array(20).fill([badStream('x', 3)]))).asked).toHaveLength(3)
  })
})

describe('the wait', () => {
  const waitsOf = async (retryAfterMs: number, random = 1) =>
    (await play([[fault({ retryAfterMs })]], { random: () => random })).events.map((event) =>
      event.type === 'retry' ? [event.delayMs, event.source] : event.type,
    )

  it('is what the API asks for, if that is at least the first wait of our own', async () => {
    expect(await waitsOf(499)).toEqual([[375, 'backoff'], 'block', 'message'])
    expect(await waitsOf(500, 0)).toEqual([[500, 'retry-after'], 'block', 'message'])
    expect(await waitsOf(120_000, 0)).toEqual([[120_000, 'retry-after'], 'block', 'message'])
  })

  it('is up to a quarter longer than that, and at most 5 s: others are told to wait, too', async () => {
    expect(await waitsOf(500)).toEqual([[625, 'retry-after'], 'block', 'message'])
    expect(await waitsOf(120_000)).toEqual([[125_000, 'retry-after'], 'block', 'message'])
  })

  it('is never longer than --max-retry-wait: that ends the request', async () => {
    const { error, asked } = await play([[fault({ retryAfterMs: 120_001, kind: 'rate_limit', status: 429 })]])
    expect(asked).toHaveLength(1)
    expect(error).toMatchObject({
      kind: 'rate_limit',
      reason: 'rate_limited',
      status: 429,
      message: expect.stringMatching(/^the API asks to wait .+, longer than --max-retry-wait \(.+\): no luck$/),
    })
    expect((await play([[fault({ retryAfterMs: 120_001 })]])).error).toMatchObject({ status: null })
  })

  it('does not grow after a silence, which was a wait already', async () => {
    const silence = stalled('connect', 1_000)
    const { events } = await play([[silence], [silence], [fault()]])
    expect(only(events, 'retry').map((event) => event.type === 'retry' && event.delayMs)).toEqual([500, 500, 2000])
  })

  it('ends with the run', async () => {
    const controller = new AbortController()
    const reason = new Error('the run is over')
    const asked: string[] = []
    // biome-ignore lint/correctness/useYield: it fails
    async function* attempt(model: string) {
      asked.push(model)
      throw fault()
    }
    // A wait of half a second times a million: only the abort ends it.
    const events = retry('large', attempt, { ...POLICY, waitScale: 1_000_000 }, controller.signal)
    expect((await events.next()).value).toMatchObject({ type: 'retry' })
    const next = events.next()
    controller.abort(reason)
    await expect(next).rejects.toBe(reason)
    expect(asked).toEqual(['large'])
  })
})

describe('silence', () => {
  it('is told with its phase, and counts against the next attempts by what its timer allows', async () => {
    const { events, asked } = await play([[stalled('connect', 900)], [stalled('idle', 90_000)]])
    expect(only(events, 'stall')).toEqual([
      { type: 'stall', phase: 'connect', silentMs: 900 },
      { type: 'stall', phase: 'idle', silentMs: 90_000 },
    ])
    expect(asked.map(({ silentMs }) => silentMs)).toEqual([0, 900, 4_900])
  })

  it('has a budget of one silent answer and a little: what is over it ends the request', async () => {
    const twice = await play([[stalled('first_byte', 6_000)], [stalled('connect', 1_000)]])
    expect(twice.asked).toHaveLength(2)
    expect(twice.error).toMatchObject({ kind: 'stalled' })
    expect((twice.error as Error).message).toMatch(/\(after 2 attempts\); the run is safe to start again$/)
    const small = await play([[stalled('first_byte', 6_000)], [stalled('connect', 300)]])
    expect([small.asked.length, small.error]).toEqual([3, undefined])
    // The longer of the two timers of an answer counts.
    const idle = await play([[stalled('idle', 6_000)]], { timers: { ...TIMERS, firstByteMs: 10, idleMs: 6_000 } })
    expect(idle.error).toBeUndefined()
  })

  it('of any kinds, in any order, ends within 130 s, after at least one more attempt', async () => {
    const limits = { connect: 'connectMs', first_byte: 'firstByteMs', idle: 'idleMs' } as const
    const phase = fc.constantFrom('connect', 'connect', 'connect', 'first_byte', 'idle')
    const orders = fc.array(phase, { minLength: 20, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const faults = order.map((one) => [stalled(one, DEFAULT_TIMERS[limits[one]])])
        const { events, asked, error } = await play(faults, { timers: DEFAULT_TIMERS })
        const passed = events.map((event) =>
          event.type === 'stall' ? event.silentMs : event.type === 'retry' ? event.delayMs : 0,
        )
        expect(passed.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(130_000)
        expect(asked.length).toBeGreaterThanOrEqual(2)
        expect(error).toMatchObject({ kind: 'stalled', reason: 'api_unavailable' })
      }),
    )
  })

  it('behind pings alone is not waited out twice', async () => {
    const { asked, error } = await play([[stalled('ping_only', 12_000)]])
    expect(asked).toHaveLength(1)
    expect((error as Error).message).not.toContain('safe to start again')
  })
})

describe('overload', () => {
  it('three times in a row leads to the next model, without a wait, once for each', async () => {
    const { events, asked } = await play(Array(7).fill([overloaded]), { fallbackModels: ['middle', 'small'] })
    expect(asked.map(({ model }) => model)).toEqual([
      ...['large', 'large', 'large', 'middle', 'middle', 'middle', 'small', 'small'],
    ])
    expect(only(events, 'fallback')).toEqual([
      { type: 'fallback', from: 'large', to: 'middle', detail: '3 times overloaded in a row' },
      { type: 'fallback', from: 'middle', to: 'small', detail: '3 times overloaded in a row' },
    ])
    expect(only(events, 'retry').map((event) => event.type === 'retry' && event.attempt)).toEqual([1, 2, 4, 5, 7])
  })

  it('is counted anew after another fault', async () => {
    const { asked } = await play([[overloaded], [overloaded], [fault()], [overloaded], [overloaded]], {
      fallbackModels: ['small'],
    })
    expect(asked.map(({ model }) => model)).toEqual(Array(6).fill('large'))
  })

  it('without another model uses the budget of all attempts, and the models share it', async () => {
    expect((await play(Array(20).fill([overloaded]))).asked).toHaveLength(10)
    const shared = await play(Array(20).fill([overloaded]), { fallbackModels: ['small'] })
    expect(shared.asked).toHaveLength(10)
  })
})

describe('the wait that a response asks for', () => {
  const read = (headers: Readonly<Record<string, string>>) => readRetryAfter(new Headers(headers))

  it('is in seconds, a date by the clock of the response, or in milliseconds, which win', () => {
    expect(read({ 'retry-after': '2' })).toBe(2_000)
    expect(read({ 'retry-after': ' 0.5 ' })).toBe(500)
    const date = 'Mon, 23 Nov 2026 20:00:00 GMT'
    expect(read({ 'retry-after': 'Mon, 23 Nov 2026 20:00:30 GMT', date })).toBe(30_000)
    // The other dates that HTTP knows, and one that it does not.
    const old = 'Mon Nov 23 20:00:00 2026'
    expect(read({ 'retry-after': 'Mon Nov 23 20:00:30 2026', date: old })).toBe(30_000)
    expect(read({ 'retry-after': '2026-11-23T20:00:30Z', date })).toBe(30_000)
    expect(read({ 'retry-after-ms': '1500', 'retry-after': '2' })).toBe(1_500)
    expect(read({ 'retry-after-ms': '0', 'retry-after': '2' })).toBe(2_000)
  })

  it('is by our own clock where the response has none', () => {
    const wait = read({ 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }) ?? 0
    expect(wait).toBeGreaterThan(3_000_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
  })

  it('is none where there is nothing to read, or it is over', () => {
    const past = { 'retry-after': 'Mon, 23 Nov 2026 19:00:00 GMT', date: 'Mon, 23 Nov 2026 20:00:00 GMT' }
    const rows = [
      {},
      { 'retry-after': '' },
      { 'retry-after': 'soon' },
      { 'retry-after': '0' },
      { 'retry-after': '-1' },
      past,
    ]
    expect(rows.map((row) => read(row as Record<string, string>))).toEqual(rows.map(() => undefined))
  })
})
