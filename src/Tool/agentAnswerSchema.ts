import * as z from 'zod'

/** The shape of an `AgentAnswer`: what tools that start agents promise of their output. */
export const agentAnswerSchema = z.object({
  agentId: z.string(),
  text: z.string(),
  isError: z.boolean(),
  turns: z.number(),
  isAtWork: z.boolean().exactOptional(),
})
