import type { CheckEvent, RunEvent } from '../../contracts/events.ts'
import { OWN_MODEL } from '../../contracts/messages.ts'
import { formatDuration, oneLine } from '../../lib/text/words.ts'
import { callLabel } from '../callLabel.ts'
import { timelineNote } from '../fold/timelineNote.ts'
import { checkFailure, leftoverWords, wallWords } from '../words.ts'
import type { Activity } from './createPulse.ts'
import type { LineState } from './LineState.ts'
import { agentMark, outcomeLine } from './outcomeLine.ts'
import { resultLines } from './resultLines.ts'

/** `running`: the current activity, for a live line; null if it did not change. */
type Lines = { readonly lines: readonly string[]; readonly running: string | null }
type Verbosity = 'quiet' | 'normal' | 'verbose'

const NOTHING: Lines = { lines: [], running: null }
const LONGEST = 200
const LAST_LINES = 8
const LAST_LINE = 80

/** The lines that an event gives, and what runs after it. Keeps `state` up to date. */
export function consoleLines(event: RunEvent, state: LineState, verbosity: Verbosity): Lines {
  const isQuiet = verbosity === 'quiet'
  if (event.type === 'result') return { lines: resultLines(event, state, isQuiet), running: null }
  if (event.type === 'user') {
    const lines = (event.tool_use_result ?? []).map((outcome) => outcomeLine(outcome, event.message, state))
    return { lines: isQuiet ? [] : lines, running: runningLine(state) }
  }
  if (event.type === 'stream_event') return NOTHING
  if (event.type === 'assistant') return messageLines(event, state, verbosity)
  if (event.subtype === 'tool_intent') {
    state.calls.set(event.tool_use_id, event)
    state.names.set(event.tool_use_id, oneLine(callLabel(event.tool_name, event.tool_input, event.path), LAST_LINE))
    const { subagent_type: agent } = event.tool_input
    if (typeof agent === 'string') state.agents.set(event.tool_use_id, oneLine(agent.replaceAll(']', ''), 40))
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
  if (event.subtype === 'output_proposed') state.proposed.push(event.kind)
  if (event.subtype === 'activity') {
    if (event.parent_tool_use_id === null) state.activity = event.text
    return NOTHING
  }
  if (event.subtype === 'tool_progress') {
    state.outputs.set(event.tool_use_id, event.text.slice(-LONGEST))
    return { lines: [], running: `${runningLine(state) ?? ''} ${oneLine(event.text.slice(-LONGEST), LONGEST)}` }
  }
  if (event.subtype === 'init') {
    state.start = { limits: event.limits, spent: 0, policy: event.policy.files[0], cwd: event.cwd }
    return { lines: isQuiet ? [] : [initLine(event)], running: null }
  }
  if (event.subtype === 'resumed' && state.start !== undefined) {
    const models = Object.values(event.used.models)
    state.start.spent = models.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)
  }
  if (event.subtype === 'check') state.activity = 'at work'
  if (event.subtype === 'check') return { lines: isQuiet ? [] : checkLines(event, state), running: runningLine(state) }
  return isQuiet ? NOTHING : noteLines(event, state, verbosity)
}

function noteLines(event: RunEvent, state: LineState, verbosity: Verbosity): Lines {
  const note = timelineNote(event, null)
  if (note === null || (note.level === 'info' && verbosity !== 'verbose')) return NOTHING
  const mark = note.level === 'info' ? '·' : '!'
  return {
    lines: [`${mark} ${oneLine(note.detail === '' ? note.title : `${note.title}: ${note.detail}`, LONGEST)}`],
    running: runningLine(state),
  }
}

/** One line for a check that passed; what says most in its output for one that failed. */
function checkLines(check: CheckEvent, { names }: LineState): string[] {
  const { ok, command, exit_code, attempt, duration_ms, output, leftovers } = check
  const call = oneLine(command, LONGEST)
  const left = leftovers === undefined ? [] : [`    ${leftoverWords(leftovers, (id) => names.get(id) ?? id)}`]
  if (ok) return [`✓ Check passed: ${call}, ${formatDuration(duration_ms)}`, ...left]
  const tries = attempt === 1 ? '' : `, attempt ${attempt}`
  return [
    `✗ Check failed: ${call}, ${checkFailure(exit_code)}${tries}`,
    ...failureLines(output, LAST_LINES).map((line) => `    ${line.trimEnd().slice(0, LONGEST)}`),
  ]
}

function messageLines(event: Extract<RunEvent, { type: 'assistant' }>, state: LineState, verbosity: Verbosity): Lines {
  if (event.parent_tool_use_id === null) {
    state.turn += 1
    state.isNewTurn = true
    state.activity = 'at work'
  }
  const parent = event.parent_tool_use_id
  if (parent !== null && event.message.model === OWN_MODEL) state.agents.set(parent, 'command')
  if (verbosity === 'quiet') return NOTHING
  const texts = event.message.content.flatMap((block) =>
    block.type === 'text' && block.text.trim() ? [block.text] : [],
  )
  const lines = verbosity === 'verbose' ? texts : texts.map((text) => oneLine(text, LONGEST))
  const mark = agentMark(event.parent_tool_use_id, state)
  return { lines: lines.map((line) => `${mark}“${line.trim()}”`), running: 'thinking' }
}

function initLine(event: Extract<RunEvent, { subtype: 'init' }>): string {
  const { version, model, api_host, policy, resumed_from } = event
  const files = policy.files.length === 0 ? 'preset read-only' : policy.files.join(', ')
  const where = api_host === null ? 'replay' : api_host
  const parts = [`kode-run ${version}`, `${model} at ${where}`, `policy ${files}`, wallWords(event)]
  return [...parts, ...(resumed_from === undefined ? [] : [`continues run ${resumed_from.run}`])].join(' · ')
}

/** What takes time now: the call that has run longest, else what the run waits for. Undefined at its end. */
export function activityOf({ calls, outputs, activity }: LineState): Activity | undefined {
  const [first] = calls.values()
  if (first === undefined) return activity === undefined ? undefined : { key: activity, text: activity }
  const last = oneLine(outputs.get(first.tool_use_id)?.trimEnd().split('\n').at(-1) ?? '', LAST_LINE)
  const others = calls.size === 1 ? '' : ` and ${calls.size - 1} more`
  const text = `${oneLine(first.activity, LONGEST)}${others}${last === '' ? '' : `, last output “${last}”`}`
  return { key: first.tool_use_id, text }
}

function runningLine({ calls }: LineState): string | null {
  const [first, ...others] = [...calls.values()].map(({ activity }) => activity)
  if (first === undefined) return null
  return others.length === 0 ? `… ${oneLine(first, LONGEST)}` : `… ${oneLine(first, LONGEST)} and ${others.length} more`
}

/** A line that says how many, such as `# fail 1`, `ℹ duration_ms 70.1` or `1..5`. */
const COUNT = /^\W*(?:\w+ (?:\w+ )?)?[\d.]+\W*$/
/** The line that names what failed, as test runners write it, and the one that says why. */
const NAME = /^\W*(?:not ok\b|fail(?:ed|ing|ure)?\b|[✖✗✘×])/i
const CAUSE = /^\W*(?:error\b|\w*(?:Error|Exception)\b)|^E {2,}|: error[: ]/i
/** So far above the cause the name may be. */
const NAME_IS_WITHIN = 10

/**
 * The lines of a failed command's output that say most: the last ones; if the last failure begins above them, its first
 * ones. Empty lines, and counts at the end, are left out.
 */
export function failureLines(output: string, most: number): readonly string[] {
  const all = output.split('\n').filter((line) => line.trim() !== '')
  const told = all.slice(0, all.findLastIndex((line) => !COUNT.test(line)) + 1)
  const lines = told.length === 0 ? all : told
  const cause = lines.findLastIndex((line) => NAME.test(line) || CAUSE.test(line))
  if (cause < 0 || cause >= lines.length - most) return lines.slice(-most)
  const name = lines.slice(Math.max(0, cause - NAME_IS_WITHIN), cause).findLast((line) => NAME.test(line))
  return [...(name === undefined ? [] : [name]), ...lines.slice(cause)].slice(0, most)
}
