import type { RunEvent } from '../../contracts/events.ts'
import { textsOf, type Usage } from '../../contracts/messages.ts'
import { ModelError } from '../../contracts/model.ts'
import { costOf } from '../../model/prices.ts'
import type { ModelQuestion } from '../../Tool.ts'
import type { Session } from '../Session.ts'
import { modelOf } from './agentDefinition.ts'

export type SideRequestContext = Pick<Session, 'config' | 'policy' | 'model' | 'limits' | 'pending' | 'redactor'>

/** Enough for the record: the full prompt of a compaction is in the transcript anyway. */
const RECORDED_CHARS = 20_000

/**
 * A single request outside the loop: no tools, no conversation, no secret in its prompt. Its prompt, answer, tokens and
 * cost are recorded and counted. Throws `ModelError`; the caller decides what that means.
 */
export async function sideRequest(
  session: SideRequestContext,
  question: ModelQuestion,
  options: { readonly signal: AbortSignal; readonly parentToolUseId: string | null },
): Promise<string> {
  const model = modelOf(session, question)
  const request = {
    model,
    system: question.system ?? '',
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: session.redactor.forModel(question.prompt) }] }],
    maxTokens: question.maxTokens ?? 4096,
  } as const
  const record = (usage: Usage, answer: string, asked = model): Extract<RunEvent, { subtype: 'model_call' }> => ({
    type: 'system',
    subtype: 'model_call',
    purpose: question.purpose,
    model: asked,
    prompt: question.prompt.slice(0, RECORDED_CHARS),
    answer: answer.slice(0, RECORDED_CHARS),
    usage,
    cost_usd: costOf(asked, usage, session.policy.settings.pricing),
    parent_tool_use_id: options.parentToolUseId,
  })
  for await (const event of session.model.stream(request, options.signal)) {
    if (event.type === 'discarded') {
      session.limits.countUsage(event.model, event.usage, 0)
      session.pending.push({ ...record(event.usage, '', event.model), is_lower_bound: true })
      const limit = session.limits.reached()
      if (limit !== undefined) throw new ModelError('unknown', limit.reason, limit.detail)
    }
    if (event.type !== 'message') continue
    const answer = textsOf(event.message.content).join('\n')
    session.limits.countUsage(model, event.message.usage, event.durationMs)
    session.pending.push(record(event.message.usage, answer))
    if (event.message.stop_reason === 'refusal')
      throw new ModelError('unknown', 'refusal', `${model} refused to answer.`)
    return answer
  }
  throw new ModelError('bad_stream', 'api_unavailable', `${model} gave no answer.`)
}
