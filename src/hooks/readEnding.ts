import * as z from 'zod'
import type { HookEventName } from '../contracts/settings.ts'
import { findAnswer } from './findAnswer.ts'
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

/** A text, ready to be passed on. */
type Clean = (text: string) => string

/** The answer, or why it is invalid. */
function parseAnswer(json: Readonly<Record<string, unknown>>): Answer | string {
  if ('permissionDecision' in json) return 'permissionDecision is next to hookSpecificOutput, not in it'
  const parsed = ANSWER.safeParse(json)
  return parsed.success ? parsed.data : `the answer is not valid: ${z.prettifyError(parsed.error)}`
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
