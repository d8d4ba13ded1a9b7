const ending = (code: number, rerun: string, meaning: string) => ({ code, rerun, meaning }) as const

/** One row per way a run can end. The table of docs/exit-codes.md is generated from this one. `rerun`: does running again help? */
export const EXIT_CODES = {
  completed: ending(0, '–', 'the task is done; every check passes and the output matches its schema'),
  task_failed: ending(1, 'maybe', 'the agent reported that it failed, or all its edits did'),
  checks_failed: ending(1, 'maybe', 'a command of `checks:` still fails, or the run changed what it depends on'),
  findings: ending(1, 'no', 'a finding was reported (`checks.findings`, `--fail-on-finding`)'),
  schema_failed: ending(1, 'maybe', 'the structured output does not match the schema'),
  empty_answer: ending(1, 'maybe', 'the model answered with nothing, twice'),
  stop_hook_loop: ending(1, 'maybe', 'a Stop hook sent the agent back too often'),
  stop_hook_failed: ending(1, 'maybe', 'a Stop hook itself failed'),
  usage: ending(2, 'no', 'a flag or argument is wrong'),
  blocked: ending(3, 'no', 'the policy blocked the task, `--fail-on-denied`, or a change that no call accounts for'),
  denial_limit: ending(3, 'no', 'too many denied calls (`--max-denials`)'),
  stopped_by_hook: ending(3, 'no', 'a hook answered `continue: false`'),
  actor_denied: ending(3, 'no', 'the person or bot behind the event has no write access'),
  untrusted_event: ending(3, 'no', 'the event lets outsiders control the checkout'),
  tampering: ending(3, 'no', "a command wrote to the runner's command files"),
  max_turns: ending(4, 'with a higher limit', '`--max-turns` reached'),
  max_budget: ending(4, 'with a higher limit', 'a budget in money or tokens, or of `run.ledger`, used up'),
  max_tool_calls: ending(4, 'with a higher limit', '`--max-tool-calls` reached'),
  max_tokens: ending(4, 'with a higher limit', 'three answers in a row were cut by the output limit'),
  loop: ending(4, 'maybe', 'the same failing call over and over, or endless `pause_turn`'),
  refusal: ending(5, 'rarely', 'the model refused'),
  bad_request: ending(5, 'after a fix', 'the API refuses the request as invalid (HTTP 400)'),
  context_exhausted: ending(5, 'rarely', 'the conversation is too long, even after compaction'),
  bad_stop_reason: ending(5, 'rarely', 'the API ended a message for a reason not known here'),
  bad_input: ending(65, 'no', 'an input file or the prompt cannot be used'),
  transcript_damaged: ending(65, 'no', 'a transcript fails verification'),
  replay_mismatch: ending(65, 'no', 'a request does not match the replay, or the replay has turns left'),
  mcp_unavailable: ending(69, 'after a fix', 'a required MCP server did not start'),
  sandbox_unavailable: ending(69, 'after a fix', '`sandbox.mode: required`, and the sandbox does not start'),
  internal: ending(70, 'maybe', 'a defect of kode-run; the log or a warning of the result has the stack trace'),
  cannot_create: ending(73, 'after a fix', 'the transcript or an output file cannot be created'),
  io_error: ending(74, 'after a fix', 'a record, the ledger, a file or stdout failed'),
  changes_unknown: ending(74, 'after a fix', 'changes were kept in part, or could not be compared'),
  api_unavailable: ending(75, 'yes', 'the API stayed unreachable, overloaded or silent'),
  rate_limited: ending(75, 'yes', 'the API asks for a longer wait than `--max-retry-wait`'),
  locked: ending(75, 'yes', 'another run holds the `--lock`'),
  auth: ending(77, 'no', 'no API key, or the API refuses it'),
  billing: ending(77, 'no', 'the account has no credit'),
  config: ending(78, 'no', 'the policy or the configuration is wrong'),
  deadline: ending(124, 'resume', '`--timeout` reached'),
  aborted: ending(130, 'resume', 'ended by its caller: `abort()` in the library, an interrupt of the SDK'),
  sighup: ending(129, 'resume', 'ended by SIGHUP'),
  sigint: ending(130, 'resume', 'ended by SIGINT'),
  sigterm: ending(143, 'resume', 'ended by SIGTERM'),
}

export type ExitReason = keyof typeof EXIT_CODES

/** An error that a person must fix. Its message names the file, key or flag, and the way out. */
export class RunError extends Error {
  override readonly name = 'RunError'
  readonly reason: ExitReason
  constructor(reason: ExitReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** How an error ends a run. */
export function reasonOf(error: unknown, otherwise: ExitReason = 'internal'): ExitReason {
  return error instanceof RunError ? error.reason : otherwise
}

/** What `work` returns; where it throws, a `RunError` that says `what` before the message of the cause. */
export function orFail<Value>(reason: ExitReason, what: string, work: () => Value): Value {
  try {
    return work()
  } catch (cause) {
    throw new RunError(reason, `${what}: ${messageOf(cause)}`, { cause })
  }
}

/** What mends a limit of the machine, by the code of the error. */
const LIMITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:EMFILE|ENFILE)$/, 'Raise the limit on open files: ulimit -n 1024'],
  [/^(?:ENOSPC|EDQUOT)$/, 'Make room where TMPDIR, the state folder and the checkout are'],
]

/** An error for the reason of a limit of the machine, which is no defect; the error itself otherwise. */
export function asRunError(error: unknown): unknown {
  if (error instanceof RunError) return error
  const code = String((error as { code?: unknown } | null)?.code)
  const [, remedy] = LIMITS.find(([codes]) => codes.test(code)) ?? []
  return remedy === undefined ? error : new RunError('io_error', `${messageOf(error)}. ${remedy}`, { cause: error })
}

/** The message of the cause, if it has one: `fetch` itself only says that it failed. */
export function innerMessageOf(error: unknown): string {
  return (error instanceof Error && messageOf(error.cause ?? '')) || messageOf(error)
}

/** The text of anything thrown, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
