import { type CanonicalOptions, type CanonicalRequest, canonicalRequest } from '../canonicalRequest.ts'
import { ModelFault } from '../ModelFault.ts'
import { TOOL_FEATURES } from '../tools/toolFeatures.ts'
import type { CassetteEntry } from './parseCassette.ts'
import { mismatch, type Replay, replayedResponse } from './replayedResponse.ts'

export type CassetteOptions = CanonicalOptions & {
  readonly file: string
  /** `loose` only compares the names and order of the calls so far. */
  readonly match: 'strict' | 'loose'
}

type Slot = { readonly entry: CassetteEntry; isUsed: boolean }

/** Plays a recording: each conversation gets its recorded answers, in the order in which they were recorded. */
export function createCassetteReplay(entries: readonly CassetteEntry[], options: CassetteOptions): Replay {
  const slots: Slot[] = entries.map((entry) => ({ entry, isUsed: false }))
  let requests = 0
  const exchange = () => async (request: { readonly body?: unknown }) => {
    requests += 1
    const asked = canonicalRequest(String(request.body), options)
    const slot = nextSlot(slots, asked)
    if (slot === undefined) throw mismatch(`${options.file}: the recording has no answer left for request ${requests}`)
    const difference =
      options.match === 'loose'
        ? looseDifference(slot.entry.request, asked)
        : strictDifference(slot.entry.request, asked, slots)
    if (difference !== undefined)
      throw mismatch(`${options.file}: request ${requests} is not the recorded one: ${difference}`)
    slot.isUsed = true
    return respond(slot.entry)
  }
  return {
    exchange,
    features: TOOL_FEATURES.filter((feature) => entries.some(({ request }) => request.features?.includes(feature))),
    assertDone() {
      const left = slots.filter((slot) => !slot.isUsed).length
      if (left > 0) throw mismatch(`${options.file}: ${left} of ${slots.length} recorded answers were not used`)
    },
  }
}

/** The next answer of the conversation, or of the whole recording if the conversation is not in it. */
function nextSlot(slots: readonly Slot[], asked: CanonicalRequest): Slot | undefined {
  const unused = slots.filter((slot) => !slot.isUsed)
  return unused.find((slot) => slot.entry.request.conversation === asked.conversation) ?? unused[0]
}

function respond(entry: CassetteEntry): Response {
  const end = entry.failure === undefined ? undefined : new ModelFault(entry.failure)
  if (entry.status === 0) throw end ?? mismatch('the recording has an attempt without a response and without a reason')
  return replayedResponse({ status: entry.status, headers: entry.headers }, entry.body, end)
}

function looseDifference(recorded: CanonicalRequest, asked: CanonicalRequest): string | undefined {
  const index = firstDifference(recorded.calls, asked.calls)
  if (index === undefined) return undefined
  return `call ${index + 1} was ${recorded.calls[index] ?? 'none'}, and is ${asked.calls[index] ?? 'none'}`
}

function strictDifference(
  recorded: CanonicalRequest,
  asked: CanonicalRequest,
  slots: readonly Slot[],
): string | undefined {
  if (recorded.key === asked.key) return undefined
  if (recorded.model !== asked.model) return `the model was ${recorded.model}, and is ${asked.model}`
  if (recorded.thinking !== asked.thinking)
    return `thinking was ${recorded.thinking ?? 'not set'}, and is ${asked.thinking ?? 'not set'}`
  if (recorded.tools !== asked.tools) return toolDifference(recorded, asked)
  if (recorded.system !== asked.system) return 'the system prompt differs'
  const index = firstDifference(recorded.messages, asked.messages)
  if (index === undefined) return 'it differs, though every message is the same'
  if (index >= asked.messages.length) return `it ends before message ${index + 1}`
  const was = index >= recorded.messages.length ? 'absent' : textOfMessage(index, recorded, slots)
  const now = index === asked.messages.length - 1 ? asked.last : 'another text'
  return `message ${index + 1} differs\n  recorded: ${excerpt(was, now)}\n  now:      ${excerpt(now, was)}`
}

function toolDifference(recorded: CanonicalRequest, asked: CanonicalRequest): string {
  const added = asked.toolNames.filter((name) => !recorded.toolNames.includes(name))
  const gone = recorded.toolNames.filter((name) => !asked.toolNames.includes(name))
  if (added.length + gone.length === 0) return 'the description or schema of a tool differs'
  return `other tools are offered (new: ${added.join(', ') || 'none'}; gone: ${gone.join(', ') || 'none'})`
}

/** A recording has the words of latest messages only: those of another are in the request where it was the latest. */
function textOfMessage(index: number, recorded: CanonicalRequest, slots: readonly Slot[]): string {
  const requests = [recorded, ...slots.map((slot) => slot.entry.request)]
  const digest = recorded.messages[index]
  const owner = requests.find((request) => request.messages.length === index + 1 && request.messages[index] === digest)
  return owner?.last ?? 'an answer of the model'
}

function firstDifference(a: readonly string[], b: readonly string[]): number | undefined {
  const length = Math.max(a.length, b.length)
  for (let index = 0; index < length; index += 1) if (a[index] !== b[index]) return index
  return undefined
}

/** The part of a text around its first difference from the other. */
function excerpt(text: string, other: string): string {
  let index = 0
  while (index < text.length && text[index] === other[index]) index += 1
  const start = Math.max(0, index - 60)
  const part = text.slice(start, index + 140)
  return `${start > 0 ? '…' : ''}${part}${start + part.length < text.length ? '…' : ''}`
}
