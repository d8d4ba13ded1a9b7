import * as z from 'zod'
import { taskShape, todoSchema } from './itemShapes.ts'
import { modelUsageSchema } from './resultSchema.ts'

/** The fields of `system/resumed`. */
export const resumedShape = {
  /** `exit_reason` is null if the run has no end record. */
  from: z.object({
    run: z.string(),
    seq: z.number(),
    transcript: z.string(),
    exit_reason: z.string().nullable(),
  }),
  /** The messages of the main loop so far, as JSON; in a blob if they are long. */
  conversation: z.string(),
  /** The first message of the first run, which a compaction keeps. */
  task: z.string(),
  /** Counts against this run's limits; not part of its result. */
  used: z.object({
    turns: z.number(),
    tool_calls: z.number(),
    denials: z.number(),
    models: z.record(z.string(), modelUsageSchema),
  }),
  /** Calls that had started and have no result: they are never run again by themselves. */
  interrupted: z.array(z.object({ tool_use_id: z.string(), tool_name: z.string(), is_read_only: z.boolean() })),
  /** Denied calls, one line each. */
  denied: z.array(z.string()),
  files: z.object({ read: z.array(z.string()), changed: z.array(z.string()) }),
  todos: z.array(todoSchema),
  /** Of the task list that all agents share. */
  tasks: z.array(z.object(taskShape)),
  loaded_tools: z.array(z.string()),
}
