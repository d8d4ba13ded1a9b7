import type {
  AssistantEvent,
  EffectsEvent,
  PermissionDecisionEvent,
  PermissionDeniedEvent,
  RunEvent,
  ToolIntentEvent,
  ToolOutcome,
  UserEvent,
} from '../../contracts/events.ts'
import { type ToolResultBlock, textsOf } from '../../contracts/messages.ts'
import type { CallReport, DenialReport, Refusal, TimelineEntry } from './runReport.ts'
import { timelineNote } from './timelineNote.ts'
import { denialReason } from './totals.ts'

type Draft = { -readonly [Key in keyof CallReport]: CallReport[Key] }

type State = {
  turn: number
  readonly calls: Map<string, Draft>
  readonly denials: Map<string, DenialReport>
  readonly entries: TimelineEntry[]
}

/** What happened, call by call. Calls that start before their message is complete are put after its text. */
export function createTimeline() {
  const state: State = { turn: 0, calls: new Map(), denials: new Map(), entries: [] }
  return {
    /** `atMs` is the time since the run's start; null if unknown. */
    add(event: RunEvent, atMs: number | null): void {
      if (event.type === 'assistant') takeAnswer(state, event, atMs)
      else if (event.type === 'user') takeResults(state, event)
      else if (event.type === 'system') takeSystem(state, event, atMs)
      const note = timelineNote(event, atMs)
      if (note !== null) state.entries.push(note)
    },
    entries: (): TimelineEntry[] => [...state.entries],
    calls: (): CallReport[] => [...state.calls.values()],
    denials: () => [...state.denials.values()],
  }
}

function takeAnswer(state: State, { message, parent_tool_use_id: parent }: AssistantEvent, atMs: number | null): void {
  if (parent === null) state.turn += 1
  const uses = message.content.filter((block) => block.type === 'tool_use')
  const text = textsOf(message.content).join('\n\n')
  if (text.trim() !== '') {
    const entry = { kind: 'message', turn: state.turn, parent, atMs, text, model: message.model } as const
    state.entries.splice(startOfCalls(state, new Set(uses.map(({ id }) => id))), 0, entry)
  }
  for (const { id, name: tool, input } of uses) takeCall(state, { id, tool, input, parent, atMs }).turn = state.turn
}

/** The position of the first of these calls; the end if none has started. Checks the last entries only. */
function startOfCalls({ entries }: State, ids: ReadonlySet<string>): number {
  const last = entries.slice(-2 * ids.size)
  const at = last.findIndex((entry) => entry.kind === 'call' && ids.has(entry.call.id))
  return at === -1 ? entries.length : entries.length - last.length + at
}

function takeCall(state: State, seen: Pick<CallReport, 'id' | 'tool' | 'input' | 'parent' | 'atMs'>): Draft {
  const known = state.calls.get(seen.id)
  if (known !== undefined) return known
  const call: Draft = {
    ...seen,
    activity: seen.tool,
    turn: state.turn,
    isReadOnly: null,
    title: null,
    path: null,
    isDestructive: false,
    canonical: null,
    decision: null,
    denial: null,
    suggestion: null,
    outcome: 'unknown',
    durationMs: null,
    resultText: '',
    rendering: null,
    blob: null,
  }
  state.calls.set(seen.id, call)
  state.entries.push({ kind: 'call', call })
  return call
}

function takeResults(state: State, { message, tool_use_result: outcomes = [] }: UserEvent): void {
  for (const block of message.content) if (block.type === 'tool_result') takeResult(state, block)
  for (const outcome of outcomes) takeOutcome(state, outcome)
}

const SHOWN = 4_000

function takeResult({ calls }: State, { tool_use_id, content, is_error }: ToolResultBlock): void {
  const call = calls.get(tool_use_id)
  if (call === undefined) return
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
  const text = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
  call.resultText = text.length > 2 * SHOWN ? `${text.slice(0, SHOWN)}\n…\n${text.slice(-SHOWN)}` : text
  if (call.outcome === 'unknown') call.outcome = is_error === true ? 'error' : 'ok'
}

function takeOutcome({ calls }: State, { tool_use_id, outcome, duration_ms, rendering, blob }: ToolOutcome): void {
  const call = calls.get(tool_use_id)
  if (call === undefined) return
  // A command whose changes were undone counts as denied everywhere else.
  call.outcome = outcome === 'error' && call.denial !== null ? 'denied' : outcome
  call.durationMs = duration_ms
  call.rendering = rendering ?? null
  call.blob = blob ?? null
}

function takeSystem(state: State, event: Extract<RunEvent, { type: 'system' }>, atMs: number | null): void {
  if (event.subtype === 'tool_intent') {
    const call = callOf(state, event, atMs)
    call.input = event.tool_input
    call.activity = event.activity
    call.isReadOnly = event.is_read_only
    call.title = event.title ?? null
    call.path = event.path ?? null
    call.isDestructive = event.is_destructive ?? false
    call.canonical = event.canonical ?? null
    call.atMs = atMs
  } else if (event.subtype === 'permission_decision') {
    const call = callOf(state, event, atMs)
    call.decision = { behavior: event.decision, reason: event.reason }
    call.suggestion = event.suggestion ?? null
  } else if (event.subtype === 'effects') takeAudited(state, event)
  else if (event.subtype === 'permission_denied') takeDenial(state, event)
  else if (event.subtype === 'turn_discarded') for (const outcome of event.early) takeOutcome(state, outcome)
}

/** Changes that an audit permitted need rules too. */
function takeAudited({ calls }: State, { tool_use_id, audited = [] }: EffectsEvent): void {
  const call = calls.get(tool_use_id)
  if (call === undefined || audited.length === 0) return
  call.suggestion = [...(call.suggestion === null ? [] : [call.suggestion]), ...audited].join(', ')
}

/** The call of an event; calls may start before the message that requests them is complete. */
function callOf(state: State, event: ToolIntentEvent | PermissionDecisionEvent, atMs: number | null): Draft {
  const { tool_use_id: id, tool_name: tool, parent_tool_use_id: parent } = event
  return takeCall(state, { id, tool, input: {}, parent, atMs })
}

function takeDenial({ calls, denials }: State, event: PermissionDeniedEvent): void {
  const { tool_use_id: id, tool_name: tool, tool_input: input, rule, source, line, suggestion } = event
  const denial: Refusal = { reason: denialReason(event), rule, source, line, suggestion }
  const call = calls.get(id)
  if (call !== undefined) call.denial = denial
  const key = JSON.stringify([tool, input, denial])
  denials.set(key, { ...denial, tool, input, count: (denials.get(key)?.count ?? 0) + 1 })
}
