import * as z from 'zod'
import type { HookEventName } from '../contracts/settings.ts'
import { faultsOf } from '../lib/faultsOf.ts'
import { isObject } from '../lib/isObject.ts'
import { parseJson } from '../lib/text/json.ts'
import { type HookEnding, type HookReply, limitText } from './HookReply.ts'

const text = z.string().nullish()
const input = z.record(z.string(), z.unknown()).nullish()

/** The JSON answer of Claude Code's hooks reference. Unknown keys are allowed. */
const ANSWER = z.looseObject({
  continue: z.boolean().nullish(),
  stopReason: text,
  systemMessage: text,
  decision: z.enum(['approve', 'block']).nullish(),
  reason: text,
  hookSpecificOutput: z
    .looseObject({
      hookEventName: text,
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).nullish(),
      permissionDecisionReason: text,
      updatedInput: input,
      additionalContext: text,
      decision: z
        .looseObject({
          behavior: z.enum(['allow', 'deny']),
          message: text,
          updatedInput: input,
          interrupt: z.boolean().nullish(),
        })
        .nullish(),
    })
    .nullish(),
})

type Answer = z.infer<typeof ANSWER>

/** Events whose plain text output is context for the model. */
const TEXT_IS_CONTEXT: readonly HookEventName[] = ['UserPromptSubmit', 'SessionStart']

const NO_OPINION: HookReply = { decision: 'none', reason: '' }

/**
 * What the end of a hook means for an event. Plain text is not an opinion. If it contains an answer, that must be
 * valid, otherwise the hook has failed. Every text is redacted as a whole before it is cut. Pure.
 */
export function readEnding(
  event: HookEventName,
  ending: HookEnding,
  redact: (text: string) => string = (text) => text,
): HookReply {
  const clean: Clean = (text) => limitText(redact(text))
  const fail = (detail: string, failure: 'failed' | 'timeout' = 'failed'): HookReply => {
    return { ...NO_OPINION, reason: clean(detail), failure }
  }
  if (ending.kind === 'blocked') return { decision: 'deny', reason: clean(ending.reason) }
  if (ending.kind !== 'answered') return fail(ending.detail, ending.kind)
  const said = ending.text.trim()
  const printed = findAnswer(said)
  if (printed.kind === 'unclear') return fail(printed.detail)
  if (printed.kind === 'text') {
    return said !== '' && TEXT_IS_CONTEXT.includes(event)
      ? { ...NO_OPINION, additionalContext: clean(said) }
      : NO_OPINION
  }
  const answer = parseAnswer(printed.json)
  if (typeof answer === 'string') return fail(answer)
  const named = answer.hookSpecificOutput?.hookEventName
  if (named && named !== event) return fail(`the answer is for ${named}, the event is ${event}`)
  const misplaced = decisionOfAnother(event, answer)
  if (misplaced !== undefined) return fail(misplaced)
  return { ...common(answer, clean), ...judge(event, answer, clean) }
}

/** A decision in the form of another event decides nothing here, and must not pass for no opinion. */
function decisionOfAnother(event: HookEventName, { hookSpecificOutput: specific }: Answer): string | undefined {
  if (event === 'PreToolUse' && specific?.decision) return 'hookSpecificOutput.decision is for PermissionRequest'
  if (event === 'PermissionRequest' && specific?.permissionDecision) {
    return 'hookSpecificOutput.permissionDecision is for PreToolUse'
  }
  return undefined
}

type Clean = (text: string) => string

function parseAnswer(json: Readonly<Record<string, unknown>>): Answer | string {
  if ('permissionDecision' in json) return 'permissionDecision is next to hookSpecificOutput, not in it'
  const parsed = ANSWER.safeParse(json)
  return parsed.success ? parsed.data : `the answer is not valid: ${faultsOf(parsed.error)}`
}

function common(answer: Answer, clean: Clean): Pick<HookReply, 'additionalContext' | 'stop' | 'systemMessage'> {
  const context = answer.hookSpecificOutput?.additionalContext
  return {
    ...(context ? { additionalContext: clean(context) } : {}),
    ...(answer.continue === false ? { stop: clean(answer.stopReason || answer.reason || 'no reason given') } : {}),
    ...(answer.systemMessage ? { systemMessage: clean(answer.systemMessage) } : {}),
  }
}

function judge(event: HookEventName, answer: Answer, clean: Clean): HookReply {
  const specific = answer.hookSpecificOutput
  const reason = clean(answer.reason ?? '')
  if (event === 'PermissionRequest' && specific?.decision) {
    const { behavior, message, updatedInput, interrupt } = specific.decision
    return {
      decision: behavior,
      reason: clean(message ?? ''),
      ...(updatedInput ? { updatedInput } : {}),
      ...(behavior === 'deny' && interrupt ? { stop: clean(message || 'no reason given') } : {}),
    }
  }
  if (event === 'PreToolUse' && specific) {
    const { permissionDecision, permissionDecisionReason, updatedInput } = specific
    const changed = updatedInput ? { updatedInput } : {}
    if (permissionDecision) {
      // Nobody can answer a deferred call later, so it is a question like any other.
      const decision = permissionDecision === 'defer' ? 'ask' : permissionDecision
      return { decision, reason: clean(permissionDecisionReason ?? ''), ...changed }
    }
    return { decision: byDecision(event, answer), reason, ...changed }
  }
  return { decision: byDecision(event, answer), reason }
}

/** `decision: block` denies everywhere; `approve` allows only for events that judge a call. */
function byDecision(event: HookEventName, answer: Answer): HookReply['decision'] {
  if (answer.decision === 'block') return 'deny'
  return answer.decision === 'approve' && event === 'PreToolUse' ? 'allow' : 'none'
}

type Printed =
  | { readonly kind: 'answer'; readonly json: Readonly<Record<string, unknown>> }
  | { readonly kind: 'text' }
  | { readonly kind: 'unclear'; readonly detail: string }

const DECISION_FIELDS = ['decision', 'continue', 'hookSpecificOutput', 'permissionDecision']
/** One of them as a key, in the quotes of JSON, of other languages or of JSON in a string. */
const DECISION_KEY = /[{,]\s*\\*["'](?:decision|continue|hookSpecificOutput|permissionDecision)\\*["']\s*:/

/**
 * The answer in a hook's output. It is the whole text, one line of it, or the text from one line to the end, because
 * many scripts print more than their answer. Something that looks like a decision but cannot be parsed is not ignored.
 * Pure.
 */
function findAnswer(said: string): Printed {
  const whole = parseJson(said)
  if (isObject(whole)) return { kind: 'answer', json: whole }
  if (Array.isArray(whole) || whole === null) {
    return { kind: 'unclear', detail: `the answer is ${whole === null ? 'null' : 'an array'}, not an object` }
  }
  const answers = answersIn(said)
  if (answers === 'too many')
    return { kind: 'unclear', detail: 'it printed a decision among too many beginnings of JSON' }
  const [only] = answers
  if (answers.length > 1) return { kind: 'unclear', detail: `it printed ${answers.length} answers` }
  if (isObject(only)) return { kind: 'answer', json: only }
  if (only !== undefined) return { kind: 'unclear', detail: 'the answer is an array, not an object' }
  if (said.startsWith('{')) return { kind: 'unclear', detail: 'the answer starts with { but is not JSON' }
  if (DECISION_KEY.test(said)) {
    return { kind: 'unclear', detail: 'it printed something that looks like a decision but is not JSON' }
  }
  return { kind: 'text' }
}

/** A line that can be the first of a longer JSON value, which `[12:00] a line of a log` cannot. */
const FIRST_LINE = /^\s*[{[]\s*(?:$|["{[]|(?:-?\d[\d.eE+-]*|true|false|null)\s*(?:,|$))/
/** The characters behind such lines that are read in all: each line can make the parser read to the end of the text. */
const MAX_CHARACTERS = 4_000_000

/** Of single lines, and of the text from a line to the end. */
function answersIn(said: string): unknown[] | 'too many' {
  const answers: unknown[] = []
  // A key may be spelled with escapes.
  const mayDecide = DECISION_KEY.test(said) || said.includes('\\u')
  let characters = 0
  let start = 0
  for (const line of said.split('\n')) {
    const at = start
    start += line.length + 1
    if (!/^\s*[{[]/.test(line)) continue
    const alone = /[}\]]\s*$/.test(line) ? parseJson(line) : undefined
    if (alone !== undefined) {
      if (decides(alone)) answers.push(alone)
      continue
    }
    if (!mayDecide || !FIRST_LINE.test(line)) continue
    characters += said.length - at
    if (characters > MAX_CHARACTERS) return 'too many'
    const rest = parseJson(said.slice(at))
    if (rest === undefined) continue
    if (decides(rest)) answers.push(rest)
    break
  }
  return answers
}

function decides(json: unknown): boolean {
  if (Array.isArray(json)) return json.some(decides)
  return isObject(json) && DECISION_FIELDS.some((field) => field in json)
}
