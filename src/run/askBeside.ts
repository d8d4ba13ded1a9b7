import type { AssistantMessage, TextBlock } from '../contracts/messages.ts'
import { ModelError } from '../contracts/model.ts'
import { costOf } from '../model/prices.ts'
import type { ModelQuestion } from '../Tool.ts'
import type { Session } from './Session.ts'

/** What a request beside the loop needs of the run. */
export type Asking = Pick<Session, 'config' | 'policy' | 'model' | 'limits' | 'pending' | 'redactor'>

/** Enough for the record; the whole prompt of a compaction is the transcript itself. */
const RECORDED_CHARS = 20_000

/**
 * One request beside the loop: no tools, no conversation, no secret in its prompt. Its prompt, answer, tokens and cost are
 * recorded and counted.
 * Throws `ModelError`; the caller decides what that means.
 */
export async function askBeside(
  session: Asking,
  question: ModelQuestion,
  options: { readonly signal: AbortSignal; readonly parentToolUseId: string | null },
): Promise<string> {
  const model = modelOf(question.model, session)
  const request = {
    model,
    system: question.system ?? '',
    tools: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: session.redactor.forModel(question.prompt) }] }],
    maxTokens: question.maxTokens ?? 4096,
  } as const
  for await (const event of session.model.stream(request, options.signal)) {
    if (event.type !== 'message') continue
    const answer = textOf(event.message)
    session.limits.countUsage(model, event.message.usage, event.durationMs)
    session.pending.push({
      type: 'system',
      subtype: 'model_call',
      purpose: question.purpose,
      model,
      prompt: question.prompt.slice(0, RECORDED_CHARS),
      answer: answer.slice(0, RECORDED_CHARS),
      usage: event.message.usage,
      cost_usd: costOf(model, event.message.usage, session.policy.settings.pricing),
      parent_tool_use_id: options.parentToolUseId,
    })
    if (event.message.stop_reason === 'refusal')
      throw new ModelError('unknown', 'refusal', `${model} refused to answer.`)
    return answer
  }
  throw new ModelError('bad_stream', 'api_unavailable', `${model} gave no answer.`)
}

function modelOf(name: string, { config }: Asking): string {
  const named: Readonly<Record<string, string>> = {
    small: config.smallModel,
    main: config.model,
    expert: config.expertModel,
  }
  return named[name] ?? name
}

function textOf(message: AssistantMessage): string {
  return message.content.flatMap((block) => (block.type === 'text' ? (block as TextBlock).text : [])).join('\n')
}
