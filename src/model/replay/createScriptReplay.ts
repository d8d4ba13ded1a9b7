import { groupBy } from '../../lib/groupBy.ts'
import { cut } from '../../lib/text/words.ts'
import { errorTypeOf } from '../classifyError.ts'
import { lost, stalled } from '../ModelFault.ts'
import { DEFAULT_TIMERS } from '../stream/startSilenceTimer.ts'
import type { ScriptTurn } from './parseReplayScript.ts'
import { renderTurn } from './renderTurn.ts'
import { mismatch, type Replay, replayedResponse } from './replayedResponse.ts'

/** The parts of our own request that are used. */
type Body = { readonly model: string; readonly messages: readonly Content[] }
type Content = { readonly text?: string; readonly content?: string | readonly Content[] }

type NumberedTurn = ScriptTurn & { readonly number: number }

/**
 * Plays a script: each request takes the next turn of its conversation. These are the turns whose `for` is part of the
 * first user message (the longest match wins), otherwise the turns without `for`.
 */
export function createScriptReplay(turns: readonly ScriptTurn[]): Replay {
  const numbered = turns.map((turn, index): NumberedTurn => ({ ...turn, number: index + 1 }))
  const queues = groupBy(numbered, (turn) => turn.for ?? '')
  const exchange = () => async (request: { readonly body?: unknown }) => {
    const body: Body = JSON.parse(String(request.body))
    const queue = queues.get(queueFor(allTextOf(body.messages[0]), [...queues.keys()])) ?? []
    const turn = queue.shift()
    if (turn === undefined)
      throw mismatch(`the script has no turn left for: ${excerpt(allTextOf(body.messages.at(-1)))}`)
    assertExpected(turn, body)
    return respond(turn, body.model)
  }
  return {
    exchange,
    features: [],
    assertDone() {
      const left = [...queues.values()].flat().sort((a, b) => a.number - b.number)
      if (left[0] !== undefined) throw mismatch(`${left[0].place}: ${left.length} turns of the script were not used`)
    },
  }
}

function queueFor(firstMessage: string, names: readonly string[]): string {
  const fitting = names.filter((name) => firstMessage.includes(name))
  return fitting.sort((a, b) => b.length - a.length)[0] ?? ''
}

function assertExpected(turn: ScriptTurn, body: Body): void {
  const seen = allTextOf(body.messages.at(-1))
  if (turn.expect === undefined || seen.includes(turn.expect)) return
  throw mismatch(
    `${turn.place}: expected ${JSON.stringify(turn.expect)} in the latest message, which is: ${excerpt(seen)}`,
  )
}

const SSE = { status: 200, headers: { 'content-type': 'text/event-stream' } }

function respond(turn: NumberedTurn, model: string): Response {
  if (turn.error !== undefined) return errorResponse(turn.error, turn)
  if (turn.raw !== undefined) {
    const { status, type, body } = turn.raw
    return replayedResponse({ status, headers: { 'content-type': type } }, body)
  }
  if (turn.stall === 'first_byte') throw stalled('first_byte', DEFAULT_TIMERS.firstByteMs)
  const dropped = lost('the connection failed: dropped by the replay script')
  if (turn.drop === 'start') throw dropped
  const tools = turn.tools ?? (turn.tool === undefined ? [] : [{ name: turn.tool, input: turn.input ?? {} }])
  const { think, say, stop, usage } = turn
  const events = renderTurn({ think, say, stop, tools, usage }, { id: `replay_${turn.number}`, model })
  if (turn.stall !== undefined) {
    const limit = turn.stall === 'idle' ? DEFAULT_TIMERS.idleMs : DEFAULT_TIMERS.pingOnlyMs
    return replayedResponse(SSE, firstPart(events), stalled(turn.stall, limit))
  }
  if (turn.drop === 'mid') return replayedResponse(SSE, firstPart(events), dropped)
  if (turn.drop === 'end') return replayedResponse(SSE, events.slice(0, -1).join(''))
  return replayedResponse(SSE, events.join(''))
}

/** Everything except the end: the blocks of the answer are there, its stop reason is not. */
function firstPart(events: readonly string[]): string {
  return events.slice(0, -2).join('')
}

function errorResponse(status: number, turn: ScriptTurn): Response {
  const error = { type: errorTypeOf(status), message: turn.message ?? `scripted error ${status}` }
  const wait: Record<string, string> = turn.retryAfter === undefined ? {} : { 'retry-after': String(turn.retryAfter) }
  const headers = { 'content-type': 'application/json', ...wait }
  return replayedResponse({ status, headers }, JSON.stringify({ type: 'error', error }))
}

/** All text of a message, including tool results. */
function allTextOf(part: Content | undefined): string {
  const content = part?.text ?? part?.content ?? ''
  return typeof content === 'string' ? content : content.map(allTextOf).join('\n')
}

function excerpt(text: string): string {
  return JSON.stringify(cut(text, 300))
}
