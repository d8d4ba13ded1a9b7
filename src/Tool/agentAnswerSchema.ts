import * as z from 'zod'

/** The schema of an `AgentAnswer`, the output of tools that start agents. */
export const agentAnswerSchema = z.object({
  agentId: z.string(),
  text: z.string(),
  isError: z.boolean(),
  turns: z.number(),
  isAtWork: z.boolean().exactOptional(),
})
