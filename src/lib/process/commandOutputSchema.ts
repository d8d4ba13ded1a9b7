import * as z from 'zod'

/** The shape of a `CommandOutput`: what tools that run a command promise of their output. */
export const commandOutputSchema = z.object({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  interrupted: z.boolean(),
  timedOutAfterMs: z.number().exactOptional(),
  isOutputLimited: z.boolean().exactOptional(),
  returnCodeInterpretation: z.string().exactOptional(),
  isError: z.boolean(),
  backgroundTaskId: z.string().exactOptional(),
  notKept: z.string().exactOptional(),
  notes: z.array(z.string()).readonly().exactOptional(),
})
