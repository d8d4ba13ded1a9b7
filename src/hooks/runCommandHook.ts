import { randomUUID } from 'node:crypto'
import type { HookSettings } from '../contracts/settings.ts'
import type { CommandAccess, CommandResult } from '../Tool.ts'
import type { HookEnding, HookLimits } from './HookReply.ts'

export type CommandHook = Extract<HookSettings, { type: 'command' }>

export type HookRunner = {
  readonly run: CommandAccess['run']
  readonly cwd: string
  readonly start: string
  /** True: it gets a `CLAUDE_ENV_FILE`, and its answer has what that sets. */
  readonly hasVariables?: boolean
}

/** More output is a failure: nobody reads a megabyte of reasons. */
export const OUTPUT_LIMIT = 1_048_576

/**
 * Runs a `command` hook with the event on its stdin: a shell string in bash without startup files, a command with
 * `args` without a shell. Exit 2 blocks with stderr as the reason; any other nonzero exit is a failure.
 */
export async function runCommandHook(
  hook: CommandHook,
  input: string,
  limits: HookLimits,
  { run, cwd, start, hasVariables = false }: HookRunner,
): Promise<HookEnding> {
  const tooLarge = new AbortController()
  const output = { stdout: '', stderr: '' }
  const mark = `kode-run:${randomUUID()}`
  const program = toProcess(hook, cwd)
  const result = await run({
    ...(hasVariables ? withVariables(program, mark) : program),
    cwd: start,
    timeoutMs: limits.timeoutMs,
    signal: AbortSignal.any([limits.signal, tooLarge.signal]),
    // `read` in a shell needs a final newline.
    input: `${input}\n`,
    env: { CLAUDE_PROJECT_DIR: cwd, ...(hook.pluginRoot && { CLAUDE_PLUGIN_ROOT: hook.pluginRoot }) },
    onOutput: (text, stream) => {
      if (output.stdout.length + output.stderr.length + text.length > OUTPUT_LIMIT) tooLarge.abort()
      else output[stream] += text
    },
  })
  if (tooLarge.signal.aborted || result.stdout.bytes + result.stderr.bytes > OUTPUT_LIMIT) {
    return { kind: 'failed', detail: 'it printed more than 1 MiB' }
  }
  const [stdout = '', before, after] = output.stdout.split(mark)
  const ending = readResult(result, { ...output, stdout })
  if (ending.kind !== 'answered' || before === undefined) return ending
  return { ...ending, variables: { before: readVariables(before), after: readVariables(after ?? '') } }
}

/**
 * Runs a program with a `CLAUDE_ENV_FILE`. What it has written there is read by bash where the program ran, in a
 * subshell that it may end. Its last line shows that all of it was read. Hexadecimal digits keep the variables out of
 * the way of everybody who reads text.
 */
const WITH_FILE = `file=$(mktemp)
CLAUDE_ENV_FILE=$file "$@"
code=$?
if [ -s "$file" ]; then
  env=$(command -v env) od=$(command -v od) tr=$(command -v tr)
  printf '\\nCLAUDE_ENV_FILE=\\n' >>"$file"
  printf %s "$0"; "$env" -0 | "$od" -An -v -tx1 | "$tr" -d ' \\n'; printf %s "$0"
  (set -a; . "$file" </dev/null >&2; "$env" -0 | "$od" -An -v -tx1 | "$tr" -d ' \\n')
fi
rm -f "$file"
exit $code`

function withVariables({ file, args }: ReturnType<typeof toProcess>, mark: string) {
  return { file: 'bash', args: ['--noprofile', '--norc', '-p', '-c', WITH_FILE, mark, file, ...args] }
}

function readVariables(digits: string): Readonly<Record<string, string>> {
  const lines = Buffer.from(digits, 'hex').toString().split('\0')
  return Object.fromEntries(
    lines.filter((line) => line.includes('=')).map((line) => /^([^=]*)=(.*)$/s.exec(line)?.slice(1) ?? []),
  )
}

function readResult(result: CommandResult, output: { stdout: string; stderr: string }): HookEnding {
  if (result.startError !== undefined) return { kind: 'failed', detail: `it did not start: ${result.startError}` }
  if (result.isTimedOut) return { kind: 'timeout', detail: `no answer within ${result.timeoutMs / 1000} s` }
  const said = output.stderr.trim()
  const tail = said === '' ? '' : `: ${said}`
  if (result.isAborted) return { kind: 'failed', detail: `it was canceled${tail}` }
  if (result.exitCode === 0) return { kind: 'answered', text: output.stdout }
  if (result.exitCode === 2) return { kind: 'blocked', reason: said || 'exit code 2, without a reason on stderr' }
  if (result.exitCode === null) return { kind: 'failed', detail: `killed by ${result.signal ?? 'a signal'}${tail}` }
  return { kind: 'failed', detail: `exit code ${result.exitCode}${tail}` }
}

/** The process of a hook. The `args` form has no shell, so the project placeholder is filled in here. */
export function toProcess(hook: CommandHook, cwd: string): { readonly file: string; readonly args: readonly string[] } {
  if (hook.args === undefined) return { file: 'bash', args: ['--noprofile', '--norc', '-p', '-c', hook.command] }
  const fill = (word: string) => word.replaceAll(/\$\{CLAUDE_PROJECT_DIR\}|\$CLAUDE_PROJECT_DIR\b/g, () => cwd)
  return { file: fill(hook.command), args: hook.args.map(fill) }
}
