import { isDeepStrictEqual } from 'node:util'
import type { EffectsReport } from '../contracts/effects.ts'
import type { HookReply, HookVariables } from './HookReply.ts'
import type { HookVerdict } from './Hooks.ts'

/** A reply with its hook's name, after it is known whether a failure blocks. */
export type NamedReply = {
  readonly hook: string
  readonly reply: HookReply
  readonly isFatal: boolean
  readonly effects?: readonly EffectsReport[]
  readonly variables?: HookVariables
}

const NOTHING: HookVerdict = { decision: 'none', reason: '', hook: '', isFailure: false, additionalContext: [] }

/**
 * One verdict from all replies of an event: deny, then ask, then allow. Among equals, the first in the configuration
 * wins. Two hooks that rewrite the call differently deny it. Pure.
 */
export function combineReplies(replies: readonly NamedReply[]): HookVerdict {
  const stopping = replies.find(({ reply }) => reply.stop !== undefined)
  const changes = replies.flatMap(({ effects }) => effects ?? [])
  const extras = {
    additionalContext: replies.flatMap(({ reply }) => reply.additionalContext ?? []),
    ...(changes.length > 0 && { effects: changes }),
    ...(stopping?.reply.stop === undefined ? {} : { stop: stopping.reply.stop }),
  }
  const denial = denied(replies)
  if (denial) return { ...denial, ...extras }
  if (stopping) return { ...speak(stopping, 'deny'), reason: stopping.reply.stop ?? '', ...extras }

  const rewriting = replies.filter(({ reply }) => reply.updatedInput !== undefined)
  const [first, ...others] = rewriting
  const updatedInput = first?.reply.updatedInput
  const rival = others.find(({ reply }) => !isDeepStrictEqual(reply.updatedInput, updatedInput))
  if (first && rival) {
    const reason = `Two hooks rewrite this call differently: ${first.hook} and ${rival.hook}.`
    return { ...speak(rival, 'deny'), reason, ...extras }
  }
  const verdict = decided(replies, 'ask') ?? decided(replies, 'allow') ?? NOTHING
  return { ...verdict, ...extras, ...(updatedInput === undefined ? {} : { updatedInput }) }
}

function decided(replies: readonly NamedReply[], decision: 'allow' | 'ask' | 'deny'): HookVerdict | undefined {
  const found = replies.find(({ reply }) => reply.decision === decision)
  return found && speak(found, decision)
}

/** A decision comes before a failure, but neither hides the other. */
function denied(replies: readonly NamedReply[]): HookVerdict | undefined {
  const judgment = decided(replies, 'deny')
  const broken = replies.find(({ isFatal }) => isFatal)
  if (!broken) return judgment
  const failure = `failed, and a failing hook denies: ${broken.reply.reason}`
  const reason = judgment ? `${judgment.reason}\nThe hook ${broken.hook} ${failure}` : `It ${failure}`
  return { ...(judgment ?? speak(broken, 'deny')), reason, isFailure: true }
}

function speak({ hook, reply }: NamedReply, decision: 'allow' | 'ask' | 'deny'): HookVerdict {
  const reason = reply.reason || `The hook ${hook} answered ${decision} without a reason.`
  return { ...NOTHING, decision, hook, reason }
}
