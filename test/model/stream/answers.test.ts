import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { RunError } from '../../../src/contracts/errors.ts'
import { createMessages } from '../../../src/model/createMessages.ts'
import { ModelFault } from '../../../src/model/ModelFault.ts'
import { renderEvent, renderTurn, type Turn } from '../../../src/model/replay/renderTurn.ts'
import { type AttemptEvent, streamAttempt } from '../../../src/model/stream/streamAttempt.ts'
import { SHORT_TIMERS } from '../../helpers/model/modelRun.ts'

type Answer = {
  readonly answer: string
  readonly turn?: Turn
  readonly events?: readonly { readonly type: string }[]
  readonly text?: string
  /** Texts of the stream, by what replaces them; the same in bytes. */
  readonly replace?: Readonly<Record<string, string>>
  readonly bytes?: Readonly<Record<string, string>>
  /** Where the stream ends: the connection breaks, `then` something else follows, or the end is clean. */
  readonly after?: string
  readonly then?: string
  readonly end?: 'clean' | 'cut'
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: 'none'
  readonly hasParts?: boolean
}

const PARAMS = {
  model: 'm',
  max_tokens: 10,
  messages: [{ role: 'user' as const, content: 'a request of some length' }],
}
const answers = parse(readFileSync(new URL('./answers.yml', import.meta.url), 'utf8')) as readonly Answer[]

function bytesOf({ turn, events, text, replace = {}, bytes = {}, after, then = '' }: Answer): Buffer {
  const made =
    turn === undefined ? (events ?? []).map(renderEvent) : renderTurn(turn, { id: 'fixture', model: 'claude' })
  let whole = text ?? made.join('')
  for (const [from, to] of Object.entries(replace)) whole = whole.replaceAll(from, to)
  if (after !== undefined) whole = whole.slice(0, whole.indexOf(after) + after.length) + then
  const hex = Object.entries(bytes).reduce(
    (all, [from, to]) => all.replace(Buffer.from(from).toString('hex'), to),
    Buffer.from(whole).toString('hex'),
  )
  return Buffer.from(hex, 'hex')
}

function responseOf(answer: Answer, chunk: number): Response {
  const { status = 200, headers = { 'content-type': 'text/event-stream' }, after, then, body } = answer
  const { end = after === undefined || then !== undefined ? 'clean' : 'cut' } = answer
  if (body === 'none' || status === 204) return new Response(null, { status, headers })
  let rest = bytesOf(answer)
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const piece = rest.subarray(0, chunk)
    rest = rest.subarray(chunk)
    if (piece.length > 0) controller.enqueue(piece)
    else if (end === 'cut') controller.error(new Error('socket hang up'))
    else controller.close()
  }
  return new Response(new ReadableStream({ pull }), { status, headers })
}

/** What comes out of one attempt: its events, then its message or its fault. */
async function play(answer: Answer, chunk: number): Promise<string> {
  const fetch = async () => responseOf(answer, chunk)
  const messages = createMessages({ apiKey: 'key', baseURL: 'http://127.0.0.1', maxRetries: 0, fetch, logLevel: 'off' })
  const { signal } = new AbortController()
  const { hasParts = false } = answer
  const told: string[] = []
  let spent: (() => object) | undefined
  try {
    for await (const event of streamAttempt({
      messages,
      params: PARAMS,
      signal,
      timers: SHORT_TIMERS,
      exchanges: [],
      hasParts,
    })) {
      if (event.type === 'begun') spent = event.spent
      told.push(shown(event))
    }
  } catch (error) {
    if (spent !== undefined) told.push(`spent at least ${JSON.stringify(spent())}`)
    told.push(faultWords(error))
  }
  return told.join('\n')
}

function shown(event: AttemptEvent): string {
  if (event.type === 'message') return JSON.stringify({ ...event, durationMs: 'N' })
  return event.type === 'begun' ? 'begun' : JSON.stringify(event)
}

function faultWords(error: unknown): string {
  if (error instanceof ModelFault) return `ModelFault ${JSON.stringify(error.details)}`
  return error instanceof RunError ? `RunError ${error.reason}: ${error.message}` : String(error)
}

// `npx vitest run test/model/stream/answers.test.ts -u` writes it. However an answer is split, the same comes out.
it('makes of each answer what it did, however it is split', { timeout: 60_000 }, async () => {
  const told: string[] = []
  for (const answer of answers) {
    // A chunk that is not UTF-8 gives nothing at all.
    const whole = await play(answer, answer.bytes === undefined ? 1e9 : 1)
    expect(await play(answer, 1), answer.answer).toBe(whole)
    told.push(`## ${answer.answer}\n\n${whole}\n`)
  }
  await expect(told.join('\n')).toMatchFileSnapshot('golden/answers.txt')
})
