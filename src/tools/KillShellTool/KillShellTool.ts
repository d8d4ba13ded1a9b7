import * as z from 'zod'
import { unknownCommand } from '../../lib/process/commandOutput.ts'
import { buildTool, FREE_ON_DEMAND } from '../../Tool.ts'

const inputSchema = () =>
  z
    .strictObject({
      shell_id: z.string().optional().describe('the id that Bash gave'),
      task_id: z.string().optional().describe('the same, by its other name'),
    })
    .refine((input) => input.shell_id !== undefined || input.task_id !== undefined, {
      path: ['shell_id'],
      message: 'is missing',
    })

type KillShellInput = z.infer<ReturnType<typeof inputSchema>>

/** Ends a background command with everything it started. */
export const KillShellTool = buildTool({
  name: 'KillShell',
  searchHint: 'stop a background command',
  ...FREE_ON_DEMAND,
  interruptBehavior: 'block',
  inputSchema,
  outputSchema: () => z.object({ id: z.string(), command: z.string(), wasRunning: z.boolean() }),
  isAvailable: ({ tools }) => tools.some(({ name }) => name === 'Bash'),
  description: () => 'Ends a background command, by the id that Bash gave.',
  activity: (input) => `Ending ${idOf(input)}`,
  async *call(input, context) {
    const id = idOf(input)
    const command = context.commands.background(id)
    if (command === undefined) throw unknownCommand(id, context.commands)
    const wasRunning = command.status().state === 'running'
    if (wasRunning) await command.kill()
    yield { type: 'result', data: { id, command: command.command, wasRunning } }
  },
  mapResult: ({ id, wasRunning }) => ({ content: wasRunning ? `${id} was ended.` : `${id} had ended before.` }),
})

function idOf(input: KillShellInput): string {
  return input.shell_id ?? input.task_id ?? ''
}
