import * as z from 'zod'
import { type AgentAnswer, buildTool, lazySchema } from '../../Tool.ts'

const inputSchema = lazySchema(() =>
  z.strictObject({
    to: z.string().min(1).describe('agentId from an Agent result'),
    message: z.string().min(1),
    summary: z.string().optional(),
  }),
)

/** Goes on with a sub-agent that has answered; it still knows what it did. */
export const SendMessageTool = buildTool<z.infer<ReturnType<typeof inputSchema>>, AgentAnswer>({
  name: 'SendMessage',
  aliases: ['SendMessageTool'],
  searchHint: 'continue a sub-agent',
  shouldDefer: true,
  inputSchema,
  isAvailable: ({ tools }) => tools.some(({ name }) => name === 'Agent'),
  description: () => 'Goes on with a sub-agent that has answered, and returns its new answer.',
  activity: ({ to, summary }) => `Message to ${to}${summary === undefined ? '' : `: ${summary}`}`,
  async *call({ to, message, summary }, context) {
    const description = summary ?? 'goes on'
    yield { type: 'result', data: await context.runAgent({ agent: '', agentId: to, prompt: message, description }) }
  },
  mapResult: ({ text, isError }) => ({ content: text, ...(isError ? { isError } : {}) }),
})
