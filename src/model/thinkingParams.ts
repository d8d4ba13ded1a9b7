import type { MessageStreamParams } from '@anthropic-ai/sdk/resources/messages/messages'
import type { ModelRequest } from '../contracts/model.ts'
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

/**
 * The thinking settings in the terms of the model's API. From Claude 4.6 on, a model decides itself and takes an
 * effort; earlier it takes a budget and no effort. A budget is part of `max_tokens`, so it stays below that. If there
 * is no space for the minimum, nothing is sent. A model without a version in its name gets what was requested. Pure.
 */
export function thinkingParams({ model, maxTokens, thinking, effort }: Asked): Params {
  const isAdaptive = decidesItself(model)
  const output: Params = effort === undefined || isAdaptive === false ? {} : { output_config: { effort } }
  if (thinking === undefined) return output
  if (thinking === 'off') return isAdaptive === false ? output : { thinking: { type: 'disabled' }, ...output }
  if (isAdaptive === true || (isAdaptive === undefined && thinking === 'adaptive'))
    return { thinking: { type: 'adaptive' }, ...output }
  const budget = Math.min(thinking === 'adaptive' ? USUAL_BUDGET : thinking, maxTokens - LEAST_BUDGET)
  if (budget < LEAST_BUDGET) return output
  return { thinking: { type: 'enabled', budget_tokens: budget }, ...output }
}

/** The settings that a model does not support, in one sentence each. Pure. */
export function thinkingNotes({ model, thinking, effort }: Settings): string[] {
  const isAdaptive = decidesItself(model)
  const notes: string[] = []
  if (isAdaptive === true && typeof thinking === 'number') {
    notes.push(`${model} takes no thinking budget: it decides itself how much to think. Use --effort to control it.`)
  }
  if (isAdaptive === false && effort !== undefined) {
    notes.push(`${model} takes no effort: --effort has no effect on it. Use --max-thinking-tokens.`)
  }
  return notes
}

function decidesItself(model: string): boolean | undefined {
  const version = modelVersion(model)
  if (version === undefined) return /claude-mythos/.test(model) ? true : undefined
  return version.number >= 406
}
