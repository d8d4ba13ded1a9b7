import type { PermissionDeniedEvent, ResultEvent, RunEvent, ToolIntentEvent, ToolOutcome } from '../contracts/events.ts'
import { callWords } from './callWords.ts'
import { noteOf } from './noteOf.ts'
import { verdictOf } from './verdictOf.ts'
import { costWords, countWords, durationWords, oneLine } from './words.ts'

/** What the lines need to remember: the calls that run, why others were denied. */
export type LineState = {
  readonly calls: Map<string, ToolIntentEvent>
  readonly denied: Map<string, PermissionDeniedEvent>
  /** Calls that only `--audit` lets run. */
  readonly audited: Set<string>
  turn: number
  isNewTurn: boolean
}

/** `running`: what goes on now, for a live line; null where nothing new does. */
type Lines = { readonly lines: readonly string[]; readonly running: string | null }
type Verbosity = 'quiet' | 'normal' | 'verbose'

const NOTHING: Lines = { lines: [], running: null }
const LONGEST = 200

/** The lines that an event gives, and what runs after it. Keeps `state` up to date. */
export function consoleLines(event: RunEvent, state: LineState, verbosity: Verbosity): Lines {
  if (event.type === 'result') return { lines: resultLines(event, verbosity), running: null }
  if (event.type === 'user') {
    const lines = (event.tool_use_result ?? []).map((outcome) => outcomeLine(outcome, state))
    return { lines: verbosity === 'quiet' ? [] : lines, running: runningLine(state) }
  }
  if (event.type === 'assistant') return messageLines(event, state, verbosity)
  if (event.subtype === 'tool_intent') {
    state.calls.set(event.tool_use_id, event)
    return { lines: [], running: runningLine(state) }
  }
  if (event.subtype === 'permission_decision') {
    if (event.reason.type === 'audit') state.audited.add(event.tool_use_id)
    return NOTHING
  }
  if (event.subtype === 'permission_denied') {
    state.denied.set(event.tool_use_id, event)
    return NOTHING
  }
  if (event.subtype === 'tool_progress') {
    return { lines: [], running: `${runningLine(state) ?? ''} ${oneLine(event.text.slice(-LONGEST), LONGEST)}` }
  }
  if (event.subtype === 'init') return { lines: verbosity === 'quiet' ? [] : [initLine(event)], running: null }
  const note = noteOf(event, null)
  if (note === null || (note.level === 'info' && verbosity !== 'verbose') || verbosity === 'quiet') return NOTHING
  const mark = note.level === 'info' ? '·' : '!'
  return {
    lines: [`${mark} ${oneLine(note.detail === '' ? note.title : `${note.title}: ${note.detail}`, LONGEST)}`],
    running: runningLine(state),
  }
}

function messageLines(event: Extract<RunEvent, { type: 'assistant' }>, state: LineState, verbosity: Verbosity): Lines {
  if (event.parent_tool_use_id === null) {
    state.turn += 1
    state.isNewTurn = true
  }
  if (verbosity === 'quiet') return NOTHING
  const texts = event.message.content.flatMap((block) =>
    block.type === 'text' && block.text.trim() ? [block.text] : [],
  )
  const lines = verbosity === 'verbose' ? texts : texts.map((text) => oneLine(text, LONGEST))
  return { lines: lines.map((line) => `${indent(event.parent_tool_use_id)}“${line.trim()}”`), running: 'thinking' }
}

function initLine(event: Extract<RunEvent, { subtype: 'init' }>): string {
  const { version, model, api_host, policy, sandbox, network, effects } = event
  const files = policy.files.length === 0 ? 'preset read-only' : policy.files.join(', ')
  const where = api_host === null ? 'replay' : api_host
  return `kode-run ${version} · ${model} at ${where} · policy ${files} · sandbox ${sandbox.state}${effects === undefined ? '' : `, changes ${effects.state}`}, network ${network.mode} (${network.state})`
}

function outcomeLine({ tool_use_id, tool_name, outcome, duration_ms }: ToolOutcome, state: LineState): string {
  const intent = state.calls.get(tool_use_id)
  const denial = state.denied.get(tool_use_id)
  state.calls.delete(tool_use_id)
  state.denied.delete(tool_use_id)
  const input = denial?.tool_input ?? intent?.tool_input ?? {}
  const call = oneLine(callWords(tool_name, input, intent?.path), LONGEST)
  const inset = indent(intent?.parent_tool_use_id ?? denial?.parent_tool_use_id ?? null)
  if (denial !== undefined) return `${inset}✗ ${call} denied: ${denialWords(denial)}`
  const mark = outcome === 'ok' ? '✓' : '✗'
  const audit = state.audited.delete(tool_use_id) ? ', no rule allows it (--audit)' : ''
  return `${inset}${mark} ${call} ${outcome === 'ok' ? '' : `${outcome}, `}${durationWords(duration_ms)}${audit}`
}

function denialWords({ rule, source, line, decision_reason }: PermissionDeniedEvent): string {
  if (rule === null) return oneLine(decision_reason, LONGEST)
  return source === null ? rule : `${rule} in ${source}${line === null || line === 0 ? '' : `:${line}`}`
}

function runningLine({ calls }: LineState): string | null {
  const [first, ...others] = [...calls.values()].map(({ activity }) => activity)
  if (first === undefined) return null
  return others.length === 0 ? `… ${oneLine(first, LONGEST)}` : `… ${oneLine(first, LONGEST)} and ${others.length} more`
}

function resultLines(event: ResultEvent, verbosity: Verbosity): string[] {
  const { state, title, detail } = verdictOf(event)
  if (verbosity === 'quiet' && state === 'good') return []
  const { num_turns, num_tool_calls, permission_denials, total_cost_usd, duration_ms, exit_code, exit_reason } = event
  const facts = [
    `exit ${exit_code} (${exit_reason})`,
    countWords(num_turns, 'turn'),
    countWords(num_tool_calls, 'call'),
    `${permission_denials.length} denied`,
    `cost ${costWords(total_cost_usd, event.cost_is_lower_bound !== true)}`,
    durationWords(duration_ms),
  ]
  const first = `${state === 'good' ? '✓' : '✗'} ${title}: ${detail}`
  return [detail === '' ? first.slice(0, -2) : first, facts.join(' · ')]
}

function indent(parent: string | null): string {
  return parent === null ? '' : '  '
}
