import { limitResult } from '../../query/runTools/limitResult.ts'
import type { AgentAnswer } from '../../Tool.ts'
import type { Session } from '../Session.ts'

type Parts = Pick<Session, 'config' | 'transcript' | 'redactor'>

/** The answer of a background agent, for the agent that started it: redacted, and cut like a tool result. */
export function describeAnswer({ config, transcript, redactor }: Parts, name: string, answer: AgentAnswer): string {
  const { agentId, text, isError } = answer
  const whole = { content: redactor.forModel(text) }
  const { result } = limitResult(whole, config.maxResultCharacters, transcript.blobs)
  const outcome = isError ? 'failed' : 'completed'
  return `<agent-answer agent="${name}" id="${agentId}" outcome="${outcome}">\n${result.content}\n</agent-answer>`
}
