import * as z from 'zod'
import { semanticBoolean } from '../../Tool/semanticValues.ts'
import { agentAnswerSchema } from '../../Tool/stores.ts'
import { buildTool, invalid } from '../../Tool.ts'

const inputSchema = () =>
  z.strictObject({
    description: z.string().min(1).describe('the task in 3 to 5 words'),
    prompt: z.string().min(1).describe('the whole task: the agent knows nothing of your conversation'),
    subagent_type: z.string().optional().describe('the agent, by its name; default: general-purpose'),
    model: z.string().optional().describe('haiku, sonnet, opus or a model id; default: the one of the agent'),
    run_in_background: semanticBoolean(z.boolean())
      .optional()
      .describe('true: continue at once; the answer is sent to you'),
    isolation: z
      .enum(['worktree'])
      .optional()
      .describe('worktree: a copy at the last commit; its changes come back as a patch; default: in the project'),
  })

type AgentInput = z.infer<ReturnType<typeof inputSchema>>

/** Gives a task to a sub-agent, which works under the same policy. Only its final answer is returned. */
export const AgentTool = buildTool({
  name: 'Agent',
  searchHint: 'hand a task to a sub-agent',
  shouldDefer: true,
  inputSchema,
  outputSchema: () => agentAnswerSchema,
  description: () => 'Gives a task to a sub-agent and returns its final answer. Calls in one message run side by side.',
  isConcurrencySafe: () => true,
  subjects: (input) => [{ kind: 'name', tool: 'Agent', specifier: typeOf(input) }],
  validateInput(input, { agents }) {
    if (agents.some((agent) => agent.name === typeOf(input))) return { result: true }
    const known = agents.map((agent) => agent.name)
    const message = `There is no agent ${typeOf(input)}. There are: ${known.join(', ')}.`
    return invalid(message, 1, { known })
  },
  activity: (input) => `${typeOf(input)}: ${input.description}`,
  async *call(input, context) {
    const { prompt, description, model, isolation, run_in_background: isBackground } = input
    const request = {
      ...{ agent: typeOf(input), prompt, description },
      ...(model === undefined ? {} : { model }),
      ...(isBackground === true ? { isBackground } : {}),
      ...(isolation === undefined ? {} : { isIsolated: true }),
    }
    yield { type: 'result', data: await context.runAgent(request) }
  },
  mapResult: ({ agentId, text, isError, isAtWork }) => ({
    content:
      isAtWork === true
        ? `${agentId} is running in the background. Its answer will be sent to you: continue with something else, or end your turn to wait for it.`
        : `${text}\n\n(agentId: ${agentId}. Continue with this agent through SendMessage.)`,
    ...(isError ? { isError } : {}),
  }),
})

function typeOf(input: AgentInput): string {
  return input.subagent_type ?? 'general-purpose'
}
