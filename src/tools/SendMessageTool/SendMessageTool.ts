import * as z from 'zod'
import { agentAnswerSchema } from '../../Tool/stores.ts'
import { buildTool, FREE_ON_DEMAND } from '../../Tool.ts'

/** Continues with a sub-agent that has answered and still remembers its work. The rule that let it start covers this too. */
export const SendMessageTool = buildTool({
  name: 'SendMessage',
  searchHint: 'continue a sub-agent',
  ...FREE_ON_DEMAND,
  inputSchema: () =>
    z.strictObject({
      to: z.string().min(1).describe('agentId from an Agent result'),
      message: z.string().min(1).describe('what to tell the agent'),
      summary: z.string().optional().describe('the message in 5 to 10 words'),
    }),
  outputSchema: () => agentAnswerSchema,
  isAvailable: ({ tools }) => tools.some(({ name }) => name === 'Agent'),
  description: () => 'Continues with a sub-agent that has answered, and returns its new answer.',
  activity: ({ to, summary }) => `Message to ${to}${summary === undefined ? '' : `: ${summary}`}`,
  async *call({ to, message, summary }, context) {
    const description = summary ?? 'goes on'
    yield { type: 'result', data: await context.runAgent({ agent: '', agentId: to, prompt: message, description }) }
  },
  mapResult: ({ text, isError }) => ({ content: text, ...(isError ? { isError } : {}) }),
})
