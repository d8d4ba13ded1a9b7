import * as z from 'zod'

/** The shape of a `Task`: what the tools of the shared list promise of their output. */
export const taskSchema = z.object({
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']),
  owner: z.string().exactOptional(),
  blockedBy: z.array(z.string()).readonly(),
  activeForm: z.string().exactOptional(),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
})
