import * as z from 'zod'
import type { CommandEffects } from '../../contracts/effects.ts'
import { withEffects } from '../../effects/withEffects.ts'
import { type CommandOutput, commandMarkdown, commandOutput, commandText } from '../../lib/commandOutput.ts'
import { semanticBoolean } from '../../lib/semanticBoolean.ts'
import { semanticNumber } from '../../lib/semanticNumber.ts'
import { withProgress } from '../../lib/withProgress.ts'
import { analyzeCommand } from '../../shell/analyzeCommand.ts'
import { buildTool, lazySchema, type SubjectContext, type ToolUseContext } from '../../Tool.ts'
import { exitMeaning } from './exitMeaning.ts'

const inputSchema = lazySchema(() =>
  z.strictObject({
    command: z.string().min(1),
    timeout: semanticNumber(z.number()).optional().describe('milliseconds'),
    description: z.string().optional().describe('what it does, in 5 to 10 words'),
    run_in_background: semanticBoolean(z.boolean()).optional(),
  }),
)

type BashInput = z.infer<ReturnType<typeof inputSchema>>

/** No start-up files, no functions or options from the environment: what runs is what was judged. */
const BASH_ARGUMENTS = ['--noprofile', '--norc', '-p', '-c'] as const

/** Runs a line of bash. What is executed is the text that was judged, where the decision gives one. */
export const BashTool = buildTool<BashInput, CommandOutput>({
  name: 'Bash',
  aliases: ['BashTool'],
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  inputSchema,
  description: () => 'Runs a command with bash; returns its output and exit code.',
  prompt:
    () => `Every call starts in the project root; \`cd\` lasts for its own line. There is no stdin and no terminal.
Every command of a line needs a rule. Write commands out; do not build them from variables, and do not use eval.
A command may change files that the policy lets be edited, and files that git ignores. Other changes are undone; the result says which.
Long output is cut, the whole is kept in a file whose path you get. Default timeout 120 s, at most 600 s.
What \`&\` leaves behind ends with its call; run_in_background goes on, until the run ends.
To look at files use Read, Grep and Glob; to change them Edit and Write.`,
  isReadOnly,
  isConcurrencySafe: isReadOnly,
  subjects: (input, context) => analyze(input, context).subjects,
  canonicalText: (input, context) => analyze(input, context).canonical,
  activity: ({ command, description }) => `Running ${description ?? firstLine(command)}`,
  async *call(input, context) {
    if (input.run_in_background === true) {
      yield { type: 'result', data: startInBackground(input, context) }
      return
    }
    const end = yield* withProgress(context.signal, (report, signal) =>
      context.commands.run({
        ...bash(input, context),
        effects: effectsOf(input, context),
        timeoutMs: input.timeout ?? context.commands.defaultTimeoutMs,
        signal,
        onOutput: report,
      }),
    )
    const meaning = exitMeaning(end.exitCode, analyze(input, context).subjects)
    const output = commandOutput(end, context.blobs.put, meaning)
    yield { type: 'result', data: withEffects(output, end.effects, context.cwd) }
  },
  mapResult: (output) => ({ content: commandText(output), ...(output.isError ? { isError: true } : {}) }),
  toAutoClassifierInput: ({ command }) => command,
  renderResult: (output, { command }) => commandMarkdown(command, output),
})

function analyze(input: BashInput, context: SubjectContext): ReturnType<typeof analyzeCommand> {
  const { cwd, home } = context
  return analyzeCommand(input.command, { cwd, root: cwd, home, resolve: context.resolvePath })
}

function isReadOnly(input: BashInput, context: SubjectContext): boolean {
  return input.run_in_background !== true && analyze(input, context).isReadOnly
}

function bash(input: BashInput, context: ToolUseContext): { file: string; args: string[]; cwd: string } {
  return { file: 'bash', args: [...BASH_ARGUMENTS, context.canonical ?? input.command], cwd: context.cwd }
}

/** A line of readers sees a read-only checkout; any other works as a transaction. */
function effectsOf(input: BashInput, context: ToolUseContext): CommandEffects {
  const access = isReadOnly(input, context) ? 'read' : 'write'
  return { access, mayChangeGit: analyze(input, context).startsGit, by: context.toolUseId }
}

function startInBackground(input: BashInput, context: ToolUseContext): CommandOutput {
  const { id } = context.commands.start({
    ...bash(input, context),
    command: input.command,
    effects: effectsOf(input, context),
  })
  const stdout = `Running in the background as ${id}. BashOutput reads it, KillShell ends it; it ends with the run.`
  return { ...NOT_ENDED, stdout, backgroundTaskId: id }
}

const NOT_ENDED: CommandOutput = {
  stdout: '',
  stderr: '',
  exitCode: null,
  signal: null,
  interrupted: false,
  isError: false,
}

function firstLine(command: string): string {
  const [line = ''] = command.trim().split('\n')
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}
