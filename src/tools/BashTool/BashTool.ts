import * as z from 'zod'
import type { CommandEffects, EffectsReport } from '../../contracts/effects.ts'
import { withEffects } from '../../effects/describeEffects.ts'
import { unfollowed } from '../../files/resolvePath.ts'
import { commitHooks } from '../../git/repository/commitHooks.ts'
import { withProgress } from '../../lib/async/withProgress.ts'
import {
  type CommandOutput,
  commandMarkdown,
  commandOutput,
  commandOutputSchema,
  commandText,
} from '../../lib/process/commandOutput.ts'
import { cut } from '../../lib/text/words.ts'
import { analyzeCommand } from '../../shell/analyzeCommand.ts'
import { semanticBoolean, semanticNumber } from '../../Tool/semanticValues.ts'
import { buildTool, type SubjectContext, type ToolUseContext } from '../../Tool.ts'
import { changedReads, rememberReads } from './changedReads.ts'
import { exitMeaning } from './exitMeaning.ts'

const inputSchema = () =>
  z.strictObject({
    command: z.string().min(1).describe('a line or a script of bash'),
    timeout: semanticNumber(z.number()).optional().describe('milliseconds; default: 120000; at most 600000'),
    description: z.string().optional().describe('what the command does, in 5 to 10 words'),
    run_in_background: semanticBoolean(z.boolean())
      .optional()
      .describe('return at once, and read the output with BashOutput; default: false'),
  })

type BashInput = z.infer<ReturnType<typeof inputSchema>>

/** No startup files, and no functions or options from the environment, so that what runs is what was judged. */
const BASH_ARGUMENTS = ['--noprofile', '--norc', '-p', '-c'] as const

/** Runs a command with bash. Executes the text that was judged, if the decision contains one. */
export const BashTool = buildTool<BashInput, CommandOutput>({
  name: 'Bash',
  maxResultSizeChars: Number.POSITIVE_INFINITY,
  inputSchema,
  outputSchema: () => commandOutputSchema,
  description: () => 'Runs a command with bash; returns its output and exit code.',
  prompt: () => `- Each call starts in the project root. \`cd\` lasts for its own line only.
- There is no stdin and no terminal. Use flags that keep commands from asking.
- Each command of a line needs its own permission. Write commands out in literal words, one purpose per call; do not build them from variables, and do not use eval.
- When a command ends, what it changed is judged. A change that no Edit rule covers is undone, unless git ignores the file. The result says so.
- Of long output you get the head, the tail and the path of the whole.
- A process behind \`&\` ends with its call. With run_in_background it ends with the run.
- Use Read, Grep and Glob to look at files, Edit and Write to change them.`,
  isReadOnly,
  // A line that only waits orders what follows: the model wants to look after it.
  isConcurrencySafe: (input, context) => isReadOnly(input, context) && !isOnly('sleep', input, context),
  isDestructive: ({ command }) => isDestructive(command),
  subjects: (input, context) => analyze(input, context).subjects,
  canonicalText: (input, context) => analyze(input, context).canonical,
  activity: ({ command, description }) => `Running ${description ?? firstLine(command)}`,
  async *call(input, context) {
    if (input.run_in_background === true) {
      yield { type: 'result', data: startInBackground(input, context) }
      return
    }
    const effects = effectsOf(input, context)
    const reads = effects.access === 'write' ? await rememberReads(context) : undefined
    const end = yield* withProgress(context.signal, (report, signal) =>
      context.commands.run({
        ...bash(input, context),
        effects,
        timeoutMs: input.timeout || context.commands.defaultTimeoutMs,
        signal,
        onOutput: report,
      }),
    )
    const meaning = exitMeaning(end.exitCode, analyze(input, context).subjects)
    const limit = { put: context.blobs.put, maxChars: context.commands.maxOutputCharacters }
    const output = withEffects(commandOutput(end, limit, meaning), end.effects, context.cwd)
    const changed = reads && end.effects && (await changedReads(reads, end.effects, context))
    const notes = [
      await skippedHooks(end.effects, context),
      isOnly('cd', input, context) ? ONLY_MOVE : undefined,
      end.isTimedOut && hasOthers(context) ? OWN_VIEW : undefined,
      changed,
    ].filter((note) => note !== undefined)
    yield { type: 'result', data: notes.length === 0 ? output : { ...output, notes } }
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

const ONLY_MOVE =
  '`cd` lasts for its own line only: the next call starts in the project root again. Write `cd DIR && COMMAND`.'

/** Runs whose model knows that git's hooks are not run. */
const told = new WeakSet<ToolUseContext['ownGit']>()

/** Said at the first commit of a run: the next push would show what a hook checks. */
async function skippedHooks(
  effects: EffectsReport | undefined,
  { cwd, ownGit }: ToolUseContext,
): Promise<string | undefined> {
  if (told.has(ownGit) || effects?.kept.some(({ path }) => path.endsWith('/COMMIT_EDITMSG')) !== true) return undefined
  told.add(ownGit)
  const hooks = commitHooks(cwd)
  return hooks === undefined
    ? undefined
    : `git hooks do not run here (${hooks}). Run what they check yourself, and amend the commit.`
}

/** A view does not show what others change meanwhile, so a command that waits for a file may wait forever. */
const OWN_VIEW =
  'A command works on the files as they are when it starts, and may never see what others write meanwhile. Wait for a file with run_in_background, or look again in a new call.'

/** True where something else may write files while a command runs. */
function hasOthers({ commands, agentsAtWork, agentId }: ToolUseContext): boolean {
  const isRunning = commands.listBackground().some((command) => command.status().state === 'running')
  return isRunning || agentsAtWork().length > 0 || agentId !== undefined
}

/** True for a line of nothing but this command. */
function isOnly(name: string, input: BashInput, context: SubjectContext): boolean {
  const commands = analyze(input, context).subjects.filter((subject) => subject.kind === 'command')
  const words = commands.map(({ chain }) => chain.at(-1)?.argv[0])
  return words.length > 0 && words.every((word) => word?.kind === 'literal' && word.value === name)
}

function bash(input: BashInput, context: ToolUseContext) {
  return {
    isJoined: true,
    file: 'bash',
    args: [...BASH_ARGUMENTS, context.canonical ?? input.command],
    cwd: context.cwd,
  }
}

/** A line that only reads gets a read-only checkout. Any other is a transaction. */
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
  const stdout = `Running in the background as ${id}. BashOutput reads it, KillShell ends it. When you are done, the run waits for it: end a server first.`
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
  return cut(line, 100)
}

/** Programs that destroy the content of their arguments. */
const REMOVERS = ['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'dd']
/** Git subcommands that discard changes or commits; `checkout -b` and the like only add a branch. */
const GIT_REMOVERS = ['clean', 'reset', 'restore', 'checkout', 'rm', 'stash']
const ADDS_BRANCH = ['-b', '-B', '--orphan']

/** True if words suggest that content is lost. Only for reports: permissions depend on the actual changes. */
function isDestructive(command: string): boolean {
  const { subjects } = analyzeCommand(command, { cwd: '/', root: '/', home: '/', resolve: unfollowed })
  return subjects.some((subject) => {
    if (subject.kind !== 'command') return false
    const words = subject.chain.at(-1)?.argv ?? []
    return isRemoval(words.map((word) => (word.kind === 'literal' ? word.value : '')))
  })
}

function isRemoval([name = '', first = '', ...rest]: readonly string[]): boolean {
  if (REMOVERS.includes(name)) return true
  if (name === 'find') return rest.includes('-delete')
  if (name !== 'git') return false
  if (first === 'branch') return [...rest].some((word) => /^-[dD]$|^--delete$/.test(word))
  if (first === 'push') return rest.some((word) => /^(-f|--force.*|--delete|-d)$/.test(word))
  return GIT_REMOVERS.includes(first) && !ADDS_BRANCH.includes(rest[0] ?? '')
}
