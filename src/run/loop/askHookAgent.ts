import { randomUUID } from 'node:crypto'
import { createTodoStore } from '../../context/createTodoStore.ts'
import type { RunEvent } from '../../contracts/events.ts'
import { HOOK_AGENT } from '../../hooks/HookReply.ts'
import { createChannel } from '../../lib/async/channel.ts'
import { createBackgroundAgents } from '../../query/createBackgroundAgents.ts'
import type { CallContext } from '../../query/runTools/runTools.ts'
import type { ModelQuestion } from '../../Tool.ts'
import { newLoopMemory, type Session } from '../Session.ts'
import { MAX_AGENT_DEPTH } from './agentDefinition.ts'
import { runOne } from './createAgentRunner.ts'

const READERS = ['Read', 'Grep', 'Glob', 'LS']
const JUDGE_TURNS = 50

/**
 * The last words of an agent that judges for a hook. It can only read files, by the rules of the run; what it costs counts
 * for the run. Each of its events is recorded before it continues. Throws why it has no answer.
 */
export async function askHookAgent(
  session: Session,
  { system = '', prompt, model }: ModelQuestion,
  signal: AbortSignal,
): Promise<string> {
  const agentId = `agent_${randomUUID().slice(0, 8)}`
  const info = { name: HOOK_AGENT, description: '', prompt: system, tools: READERS, model, maxTurns: JUDGE_TURNS }
  const events = createChannel<RunEvent>()
  session.feed.add(events.read())
  const call: CallContext = {
    ...{ toolUseId: agentId, signal, send: events.send, subjects: [], decision: undefined, canonical: undefined },
    onEffects: () => undefined,
  }
  const parent = {
    ...{ tools: session.pool, limits: session.limits, depth: MAX_AGENT_DEPTH - 1 },
    background: createBackgroundAgents(session.feed.add),
  }
  const memory = newLoopMemory(createTodoStore())
  const conversation = {
    ...{ agentId, info: { ...info, source: 'a hook' }, isIsolated: false },
    ...{ messages: [], memory, spent: {}, isBusy: true },
  }
  try {
    const answer = await runOne({ session, call, parent, known: new Map() }, conversation, prompt)
    if (answer.isError) throw new Error(answer.text.trim() || 'it gave no answer')
    return answer.text
  } finally {
    events.close()
  }
}
