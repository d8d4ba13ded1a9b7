import * as z from 'zod'
import { unknownCommand } from '../../lib/process/commandOutput.ts'
import { semanticBoolean, semanticNumber } from '../../Tool/semanticValues.ts'
import { buildTool, FREE_ON_DEMAND } from '../../Tool.ts'

const MAX_WAIT_MS = 600_000

const inputSchema = () =>
  z
    .strictObject({
      bash_id: z.string().optional().describe('the id that Bash gave'),
      task_id: z.string().optional().describe('the same, by its other name'),
      block: semanticBoolean(z.boolean()).optional().describe('wait for the end first; default: false'),
      timeout: semanticNumber(z.number().positive().max(MAX_WAIT_MS))
        .optional()
        .describe('milliseconds to wait; default: 30000'),
    })
    .refine((input) => input.bash_id !== undefined || input.task_id !== undefined, {
      path: ['bash_id'],
      message: 'is missing',
    })

type BashOutputInput = z.infer<ReturnType<typeof inputSchema>>

/** What a background command printed since it was last asked. */
export const BashOutputTool = buildTool({
  name: 'BashOutput',
  searchHint: 'read output of a background command',
  ...FREE_ON_DEMAND,
  inputSchema,
  outputSchema: () =>
    z.object({
      id: z.string(),
      command: z.string(),
      state: z.enum(['running', 'exited', 'killed']),
      exitCode: z.number().nullable(),
      stdout: z.string(),
      stderr: z.string(),
    }),
  isAvailable: ({ tools }) => tools.some(({ name }) => name === 'Bash'),
  description: () => 'New output and state of a background command, by the id that Bash gave.',
  isReadOnly: () => true,
  activity: (input) => `Reading the output of ${idOf(input)}`,
  async *call(input, context) {
    const id = idOf(input)
    const command = context.commands.background(id)
    if (command === undefined) throw unknownCommand(id, context.commands)
    if (input.block === true) await command.wait(input.timeout ?? 30_000, context.signal)
    yield { type: 'result', data: { id, command: command.command, ...command.status(), ...command.readNew() } }
  },
  mapResult({ id, state, exitCode, stdout, stderr }) {
    const end = exitCode === null ? state : `${state}, exit code ${exitCode}`
    const parts = [`${id}: ${end}`, stdout.trimEnd()]
    if (stderr !== '') parts.push(`<stderr>\n${stderr.trimEnd()}\n</stderr>`)
    if (stdout === '' && stderr === '') parts.push('(nothing new)')
    return { content: parts.filter((part) => part !== '').join('\n') }
  },
})

function idOf(input: BashOutputInput): string {
  return input.bash_id ?? input.task_id ?? ''
}
