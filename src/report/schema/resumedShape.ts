import * as z from 'zod'
import { modelUsageSchema } from './resultSchema.ts'

/** The fields of `system/resumed`. */
export const resumedShape = {
  from: z.object({
    run: z.string(),
    seq: z.number(),
    transcript: z.string(),
    exit_reason: z.string().nullable(),
  }),
  conversation: z.string(),
  task: z.string(),
  used: z.object({
    turns: z.number(),
    tool_calls: z.number(),
    denials: z.number(),
    models: z.record(z.string(), modelUsageSchema),
  }),
  interrupted: z.array(z.object({ tool_use_id: z.string(), tool_name: z.string(), is_read_only: z.boolean() })),
  denied: z.array(z.string()),
  files: z.object({ read: z.array(z.string()), changed: z.array(z.string()) }),
  todos: z.array(
    z.object({
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed']),
      activeForm: z.string(),
    }),
  ),
  tasks: z.array(
    z.object({
      id: z.string(),
      subject: z.string(),
      description: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed', 'deleted']),
      owner: z.string().exactOptional(),
      blockedBy: z.array(z.string()),
    }),
  ),
  loaded_tools: z.array(z.string()),
}
