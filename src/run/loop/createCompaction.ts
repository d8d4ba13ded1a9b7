import { type CompactionFacts, compactedMessage, compactionPrompt } from '../../context/compaction.ts'
import { estimateTokens } from '../../context/estimateTokens.ts'
import { mergeTouchedFiles, touchedFiles } from '../../context/touchedFiles.ts'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { type RunEvent, warning } from '../../contracts/events.ts'
import { type Message, textsOf } from '../../contracts/messages.ts'
import { ModelError } from '../../contracts/model.ts'
import { hookContext, type Loop, type LoopState } from '../../query/Loop.ts'
import { contextTokens } from '../../query/shorten.ts'
import type { Session } from '../Session.ts'
import type { LoopOptions } from './createLoop.ts'
import { sideRequest } from './sideRequest.ts'

type Conversation = Pick<LoopOptions, 'session' | 'messages' | 'memory' | 'model' | 'signal'> & {
  readonly state: LoopState
  readonly parentToolUseId: string | null
}

const SUMMARY_TOKENS = 8_192
/** The share of the window for the text to summarize; half of it after a failed attempt. */
const SHARE_OF_WINDOW = 0.6
const CHARACTERS_PER_TOKEN = 3

/** The number of tokens at which a conversation is compacted: the window minus room for an answer. */
export function compactAt({ contextWindow, maxOutputTokens }: Session['config']): number {
  return Math.floor(contextWindow * 0.92 - Math.min(maxOutputTokens, contextWindow * 0.2))
}

/**
 * A function that compacts a conversation: it asks the loop's model for a summary and adds the task, the steps, the
 * files and the denials verbatim. Undefined if a hook forbids it, or if the result is not shorter.
 */
export function createCompaction(conversation: Conversation): NonNullable<Loop['compact']> {
  return async function* compact(trigger) {
    const { hooks, pending } = conversation.session
    const before = await hooks?.preCompact('auto', conversation.signal)
    yield* pending.splice(0)
    if (before?.stop !== undefined) throw new RunError('stopped_by_hook', before.stop)
    if (before?.decision === 'deny') return yield* keep(`A PreCompact hook forbids it: ${before.reason}`)
    const summary = await summarize(conversation)
    yield* pending.splice(0)
    if (conversation.signal.aborted) return undefined
    if ('problem' in summary) return yield* keep(summary.problem)
    const facts = factsOf(conversation)
    // SessionStart hooks may add context to a compacted conversation.
    const started = hooks?.has('SessionStart') ? await hooks.sessionStart('compact', conversation.signal) : undefined
    const text = [compactedMessage(facts, summary.text), ...hookContext(started?.additionalContext)].join('\n\n')
    const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text }] }]
    const [old, fresh] = [estimateTokens(conversation.messages), estimateTokens(messages)]
    yield* pending.splice(0)
    if (fresh >= old) return yield* keep('The result is not shorter than the conversation.')
    const size = contextTokens(conversation)
    yield {
      ...{ type: 'system', subtype: 'compact_boundary' },
      compact_metadata: { trigger, pre_tokens: size, post_tokens: Math.max(size - old + fresh, fresh) },
      summary: text,
      parent_tool_use_id: conversation.parentToolUseId,
    }
    Object.assign(conversation.memory, { task: facts.task, files: facts.files })
    conversation.memory.readFileState.clear()
    await hooks?.postCompact('auto', summary.text, conversation.signal)
    yield* pending.splice(0)
    return messages
  }
}

function* keep(why: string): Generator<RunEvent, undefined> {
  yield warning('not_compacted', `The conversation was not compacted. ${why}`)
  return undefined
}

type Summary = { readonly text: string } | { readonly problem: string }

async function summarize(conversation: Conversation): Promise<Summary> {
  const { session, messages, state, model, signal, parentToolUseId } = conversation
  const limit = (session.config.contextWindow * CHARACTERS_PER_TOKEN * SHARE_OF_WINDOW) / state.compactions
  const question = { ...compactionPrompt(messages, Math.floor(limit)), purpose: 'compaction', model }
  try {
    const text = await sideRequest(
      session,
      { ...question, maxTokens: Math.min(SUMMARY_TOKENS, session.config.maxOutputTokens) },
      { signal, parentToolUseId },
    )
    return text.trim() === '' ? { problem: 'The model gave an empty summary.' } : { text }
  } catch (error) {
    if (error instanceof ModelError || signal.aborted) return { problem: messageOf(error) }
    throw error
  }
}

function factsOf({ messages, memory, state }: Conversation): CompactionFacts {
  return {
    task: memory.task ?? textsOf(messages[0]?.content ?? []).join('\n\n'),
    todos: memory.todos.get(),
    files: mergeTouchedFiles(memory.files, touchedFiles(messages)),
    denials: state.denied,
  }
}
