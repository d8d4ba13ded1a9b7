import * as z from 'zod'
import { type AgentAnswer, buildTool, lazySchema } from '../../Tool.ts'

const inputSchema = lazySchema(() =>
  z.strictObject({
    description: z.string().min(1).describe('3 to 5 words'),
    prompt: z.string().min(1).describe('the whole task; the agent knows nothing else'),
    subagent_type: z.string().optional().describe('default: general-purpose'),
  }),
)

type AgentInput = z.infer<ReturnType<typeof inputSchema>>

/** Hands a task to a sub-agent, which works under the same policy; only its last words come back. */
export const AgentTool = buildTool<AgentInput, AgentAnswer>({
  name: 'Agent',
  aliases: ['Task', 'TaskTool', 'AgentTool'],
  searchHint: 'hand a task to a sub-agent',
  shouldDefer: true,
  inputSchema,
  description: () => 'Gives a task to a sub-agent and returns its final answer. Calls in one message run side by side.',
  isConcurrencySafe: () => true,
  subjects: (input) => [{ kind: 'name', tool: 'Agent', specifier: typeOf(input) }],
  validateInput(input, { agents }) {
    if (agents.some((agent) => agent.name === typeOf(input))) return { result: true }
    const known = agents.map((agent) => agent.name).join(', ')
    return { result: false, message: `There is no agent ${typeOf(input)}. There are: ${known}.`, errorCode: 1 }
  },
  activity: (input) => `${typeOf(input)}: ${input.description}`,
  async *call(input, context) {
    const { prompt, description } = input
    yield { type: 'result', data: await context.runAgent({ agent: typeOf(input), prompt, description }) }
  },
  mapResult: ({ agentId, text, isError }) => ({
    content: `${text}\n\n(agentId: ${agentId}; SendMessage goes on with it)`,
    ...(isError ? { isError } : {}),
  }),
})

function typeOf(input: AgentInput): string {
  return input.subagent_type ?? 'general-purpose'
}
