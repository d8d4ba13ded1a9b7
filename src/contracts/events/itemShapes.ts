import * as z from 'zod'

/** A process, so that another one can tell whether it still runs. */
export const processSchema = z.object({
  pid: z.number(),
  /** Clock ticks since boot; null without `/proc`. */
  started: z.number().nullable(),
  boot: z.string().nullable(),
  host: z.string(),
  /** The PID namespace. Each container on a machine has its own. */
  namespace: z.string().nullable(),
})

/** A step of an agent's own list. */
export const todoSchema = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: z.string(),
})

/** A task of the list that all agents share. */
export const taskShape = {
  id: z.string(),
  subject: z.string(),
  description: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']),
  owner: z.string().exactOptional(),
  blockedBy: z.array(z.string()),
}

/** A problem at a place of the project. */
export const findingShape = {
  path: z.string(),
  line: z.number(),
  end_line: z.number().exactOptional(),
  severity: z.enum(['info', 'warning', 'error']),
  title: z.string(),
  message: z.string(),
}
