import type { PermissionDeniedEvent, ToolOutcome, UserEvent } from '../../contracts/events.ts'
import { textsOf } from '../../contracts/messages.ts'
import { formatDuration, oneLine } from '../../lib/text/words.ts'
import { callLabel } from '../callLabel.ts'
import { denialReason } from '../fold/totals.ts'
import { placeWords, withoutAdvice } from '../words.ts'
import type { LineState } from './LineState.ts'

const LONGEST = 200
const LONGEST_REASON = 500

/** The line of one finished call: the call as its rule is written, and why it failed if it did. */
export function outcomeLine(outcome: ToolOutcome, message: UserEvent['message'], state: LineState): string {
  const { tool_use_id, tool_name } = outcome
  const intent = state.calls.get(tool_use_id)
  const denial = state.denied.get(tool_use_id)
  state.calls.delete(tool_use_id)
  state.outputs.delete(tool_use_id)
  state.denied.delete(tool_use_id)
  const input = denial?.tool_input ?? intent?.tool_input ?? {}
  const call = oneLine(callLabel(tool_name, input, intent?.path), LONGEST)
  const inset = agentMark(intent?.parent_tool_use_id ?? denial?.parent_tool_use_id ?? null, state)
  if (denial !== undefined) return `${inset}✗ ${call} denied: ${denialWords(denial)}`
  const audit = state.audited.delete(tool_use_id) ? ', no rule allows it (--audit)' : ''
  const duration = formatDuration(outcome.duration_ms)
  if (outcome.outcome === 'ok') return `${inset}✓ ${call} ${duration}${audit}`
  return `${inset}✗ ${call} ${outcome.outcome}, ${duration}${audit}${failureWords(message, tool_use_id)}`
}

/** Marks a sub-agent's line with its name; empty for the main loop. */
export function agentMark(parent: string | null, { agents }: LineState): string {
  return parent === null ? '' : `  [${agents.get(parent) ?? 'agent'}] `
}

/** Lines in which a tool says how a command ended, or that its changes were undone. */
const END_LINE = /^(?:Exit code \d+|Ended |Nothing that this command changed|Put back what this command changed)/

/** Why a call failed: the lines of its result that say how it ended, else its first; after a colon, the rest too. */
function failureWords({ content }: UserEvent['message'], id: string): string {
  const result = content.find((block) => block.type === 'tool_result' && block.tool_use_id === id)
  if (result?.type !== 'tool_result') return ''
  const text = textsOf(result.content).join('\n')
  const lines = text.split('\n').map((line) => line.replace(/<\/?\w+>/g, '').trim())
  const telling = lines.filter((line) => END_LINE.test(line))
  const [first, ...rest] = lines.filter((line) => line !== '')
  const words = telling.length > 0 ? telling.join('; ') : first?.endsWith(':') ? [first, ...rest].join(' ') : first
  return words === undefined ? '' : `: ${oneLine(words, LONGEST_REASON)}`
}

/** The message without the name of the tool, which precedes it, and with the rule's place if it is missing. */
function denialWords(denial: PermissionDeniedEvent): string {
  const words = withoutAdvice(denialReason(denial))
  const start = `${denial.tool_name}: `
  const { rule, source, line } = denial
  const place = source === null ? '' : placeWords(source, line)
  const isPlaced = place === '' || words.includes(`:${line})`) || words.includes(place)
  const told = words.startsWith(start) ? words.slice(start.length) : words
  return oneLine(isPlaced ? told : `${told} (${rule} in ${place})`, LONGEST_REASON)
}
