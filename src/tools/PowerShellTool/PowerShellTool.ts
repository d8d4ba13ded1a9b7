import * as z from 'zod'
import { withEffects } from '../../effects/describeEffects.ts'
import { withProgress } from '../../lib/async/withProgress.ts'
import { commandMarkdown, commandOutput, commandOutputSchema, commandText } from '../../lib/process/commandOutput.ts'
import { semanticNumber } from '../../Tool/semanticValues.ts'
import { buildTool } from '../../Tool.ts'

/** Runs PowerShell 7. Its text is not analyzed, so only a rule for the whole tool can allow it. */
export const PowerShellTool = buildTool({
  name: 'PowerShell',
  searchHint: 'run a PowerShell command with pwsh',
  shouldDefer: true,
  isOptIn: true,
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  inputSchema: () =>
    z.strictObject({
      command: z.string().min(1).describe('a command or a script of PowerShell'),
      timeout: semanticNumber(z.number().positive().max(600_000)).optional().describe('milliseconds'),
      description: z.string().optional().describe('what it does, in 5 to 10 words'),
    }),
  outputSchema: () => commandOutputSchema,
  isAvailable: ({ hasProgram }) => hasProgram('pwsh'),
  description: () => 'Runs a PowerShell command with pwsh in the project root; no stdin, no terminal.',
  subjects: () => [
    { kind: 'name', tool: 'PowerShell' },
    { kind: 'opaque', reason: { code: 'stated', text: 'PowerShell commands are not analyzed' }, isUnseen: true },
  ],
  activity: ({ command, description }) => `Running ${description ?? command.slice(0, 100)}`,
  async *call({ command, timeout }, context) {
    const end = yield* withProgress(context.signal, (report, signal) =>
      context.commands.run({
        file: 'pwsh',
        args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command],
        cwd: context.cwd,
        effects: { access: 'write', mayChangeGit: true, by: context.toolUseId },
        timeoutMs: timeout ?? context.commands.defaultTimeoutMs,
        signal,
        isJoined: true,
        onOutput: report,
      }),
    )
    const output = commandOutput(
      end,
      { put: context.blobs.put, maxChars: context.commands.maxOutputCharacters },
      undefined,
    )
    yield { type: 'result', data: withEffects(output, end.effects, context.cwd) }
  },
  mapResult: (output) => ({ content: commandText(output), ...(output.isError ? { isError: true } : {}) }),
  toAutoClassifierInput: ({ command }) => command,
  renderResult: (output, { command }) => commandMarkdown(command, output),
})
