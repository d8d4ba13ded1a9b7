import * as z from 'zod'

/** The output of tools that start agents. */
export const agentAnswerSchema = z.object({
  agentId: z.string(),
  text: z.string(),
  isError: z.boolean(),
  turns: z.number(),
  /** True for an agent that was started in the background: there is no text yet. */
  isAtWork: z.boolean().exactOptional(),
})
