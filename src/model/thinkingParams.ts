import type { MessageStreamParams } from '@anthropic-ai/sdk/resources/messages/messages'
import type { Effort, ModelRequest } from '../contracts/model.ts'
import { modelVersion } from './modelVersion.ts'

type Asked = Pick<ModelRequest, 'model' | 'maxTokens' | 'thinking' | 'effort'>
type Settings = {
  readonly model: string
  readonly thinking?: Asked['thinking'] | undefined
  readonly effort?: Asked['effort'] | undefined
}
type Params = Pick<MessageStreamParams, 'thinking' | 'output_config'>

/** The API's minimum budget, and our default for a model without adaptive thinking. */
const LEAST_BUDGET = 1024
const USUAL_BUDGET = 10_000

/** What a model's API takes. Source: "Thinking" and "Effort" of the API's documentation, and its migration guides. */
type Abilities = {
  /** It decides itself how much to think, and takes no budget. */
  readonly isAdaptive: boolean
  /** How thinking is turned off: by saying nothing, by one of these types, or not at all. */
  readonly off: 'silence' | 'disabled' | 'between_tools' | 'never'
  /** The efforts that it takes, besides low, medium and high; undefined if it takes none. */
  readonly efforts: readonly Effort[] | undefined
}

const ALL_EFFORTS: readonly Effort[] = ['xhigh', 'max']

/** Undefined for a model without a version in its name: it gets what was requested. */
function abilitiesOf(model: string): Abilities | undefined {
  if (/claude-(?:mythos|fable)/.test(model)) return { isAdaptive: true, off: 'never', efforts: ALL_EFFORTS }
  const version = modelVersion(model)
  if (version === undefined) return undefined
  const { number, family } = version
  if (number < 406)
    return { isAdaptive: false, off: 'silence', efforts: family === 'opus' && number === 405 ? [] : undefined }
  if (number < 500) return { isAdaptive: true, off: 'silence', efforts: number < 407 ? ['max'] : ALL_EFFORTS }
  const isNewest = number >= 505
  const off = isNewest && family === 'opus' ? 'never' : isNewest && family === 'sonnet' ? 'between_tools' : 'disabled'
  return { isAdaptive: true, off, efforts: ALL_EFFORTS }
}

/**
 * The thinking settings in the terms of the model's API. A newer model decides itself and takes an effort; an older one
 * takes a budget. A budget is part of `max_tokens`, so it stays below that. If there is no space for the minimum,
 * nothing is sent. A model without a version in its name gets what was requested. Pure.
 */
export function thinkingParams(asked: Asked): Params {
  const { model, maxTokens, thinking } = asked
  const known = abilitiesOf(model)
  const effort = effortFor(asked, known)
  const output: Params = effort === undefined ? {} : { output_config: { effort } }
  if (thinking === undefined) return output
  if (thinking === 'off') {
    const off = known?.off ?? 'disabled'
    return off === 'silence' || off === 'never' ? output : { thinking: { type: off }, ...output }
  }
  const isAdaptive = known === undefined ? thinking === 'adaptive' : known.isAdaptive
  if (isAdaptive) return { thinking: { type: 'adaptive' }, ...output }
  const budget = Math.min(thinking === 'adaptive' ? USUAL_BUDGET : thinking, maxTokens - LEAST_BUDGET)
  if (budget < LEAST_BUDGET) return output
  return { thinking: { type: 'enabled', budget_tokens: budget }, ...output }
}

/** The effort, or the highest one that the model takes; with thinking turned off by a type, none takes more than high. */
function effortFor({ thinking, effort }: Settings, known: Abilities | undefined): Effort | undefined {
  if (effort === undefined || known === undefined) return effort
  if (known.efforts === undefined) return undefined
  const isCapped = thinking === 'off' && isTurnedOff(known)
  return ALL_EFFORTS.includes(effort) && (isCapped || !known.efforts.includes(effort)) ? 'high' : effort
}

/** True if a type in the request turns thinking off. The API answers a higher effort beside it with 400. */
function isTurnedOff({ off }: Abilities): boolean {
  return off === 'disabled' || off === 'between_tools'
}

/** The settings that a model does not support, in one sentence each. Pure. */
export function thinkingNotes(settings: Settings): string[] {
  const { model, thinking, effort } = settings
  const known = abilitiesOf(model)
  if (known === undefined) return []
  const sent = effortFor(settings, known)
  const notes: string[] = []
  if (known.isAdaptive && typeof thinking === 'number')
    notes.push(`${model} takes no thinking budget: it decides itself how much to think. Use --effort to control it.`)
  if (thinking === 'off' && known.off === 'never')
    notes.push(`${model} always thinks: thinking cannot be turned off. --effort low makes it think least.`)
  if (effort !== undefined && sent === undefined)
    notes.push(`${model} takes no effort: --effort has no effect on it. Use --max-thinking-tokens.`)
  else if (effort !== sent) {
    const when = thinking === 'off' && isTurnedOff(known) ? ' while thinking is off' : ''
    notes.push(`${model} takes no effort ${effort}${when}: ${sent} is sent.`)
  }
  return notes
}
