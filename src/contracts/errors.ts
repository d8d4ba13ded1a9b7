/** One row per way a run can end. The table of docs/exit-codes.md is generated from this one. `rerun`: does running again help? */
export const EXIT_CODES = {
  completed: { code: 0, rerun: '–', meaning: 'the task is done; every check passes and the output matches its schema' },
  task_failed: { code: 1, rerun: 'maybe', meaning: 'the agent reported that it failed, or all its edits did' },
  checks_failed: {
    code: 1,
    rerun: 'maybe',
    meaning: 'a command of `checks:` still fails, or the run changed what it depends on',
  },
  findings: { code: 1, rerun: 'no', meaning: 'a finding was reported (`checks.findings`, `--fail-on-finding`)' },
  schema_failed: { code: 1, rerun: 'maybe', meaning: 'the structured output does not match the schema' },
  empty_answer: { code: 1, rerun: 'maybe', meaning: 'the model answered with nothing, twice' },
  stop_hook_loop: { code: 1, rerun: 'maybe', meaning: 'a Stop hook sent the agent back too often' },
  stop_hook_failed: { code: 1, rerun: 'maybe', meaning: 'a Stop hook itself failed' },
  usage: { code: 2, rerun: 'no', meaning: 'a flag or argument is wrong' },
  blocked: {
    code: 3,
    rerun: 'no',
    meaning: 'the policy blocked the task, `--fail-on-denied`, or a change that no call accounts for',
  },
  denial_limit: { code: 3, rerun: 'no', meaning: 'too many denied calls (`--max-denials`)' },
  stopped_by_hook: { code: 3, rerun: 'no', meaning: 'a hook answered `continue: false`' },
  actor_denied: { code: 3, rerun: 'no', meaning: 'the person or bot behind the event has no write access' },
  untrusted_event: { code: 3, rerun: 'no', meaning: 'the event lets outsiders control the checkout' },
  tampering: { code: 3, rerun: 'no', meaning: "a command wrote to the runner's command files" },
  max_turns: { code: 4, rerun: 'with a higher limit', meaning: '`--max-turns` reached' },
  max_budget: {
    code: 4,
    rerun: 'with a higher limit',
    meaning: 'a budget in money or tokens, or of `run.ledger`, used up',
  },
  max_tool_calls: { code: 4, rerun: 'with a higher limit', meaning: '`--max-tool-calls` reached' },
  max_tokens: { code: 4, rerun: 'with a higher limit', meaning: 'three answers in a row were cut by the output limit' },
  loop: { code: 4, rerun: 'maybe', meaning: 'the same failing call over and over, or endless `pause_turn`' },
  refusal: { code: 5, rerun: 'rarely', meaning: 'the model refused' },
  bad_request: { code: 5, rerun: 'after a fix', meaning: 'the API refuses the request as invalid (HTTP 400)' },
  context_exhausted: { code: 5, rerun: 'rarely', meaning: 'the conversation is too long, even after compaction' },
  bad_stop_reason: { code: 5, rerun: 'rarely', meaning: 'the API ended a message for a reason not known here' },
  bad_input: { code: 65, rerun: 'no', meaning: 'an input file or the prompt cannot be used' },
  transcript_damaged: { code: 65, rerun: 'no', meaning: 'a transcript fails verification' },
  replay_mismatch: {
    code: 65,
    rerun: 'no',
    meaning: 'a request does not match the replay, or the replay has turns left',
  },
  mcp_unavailable: { code: 69, rerun: 'after a fix', meaning: 'a required MCP server did not start' },
  sandbox_unavailable: {
    code: 69,
    rerun: 'after a fix',
    meaning: '`sandbox.mode: required`, and the sandbox does not start',
  },
  internal: { code: 70, rerun: 'maybe', meaning: 'a defect of kode-run; `--verbose` shows the stack trace' },
  cannot_create: { code: 73, rerun: 'after a fix', meaning: 'the transcript or an output file cannot be created' },
  io_error: {
    code: 74,
    rerun: 'after a fix',
    meaning: 'a record, the ledger, a file or stdout failed',
  },
  changes_unknown: {
    code: 74,
    rerun: 'after a fix',
    meaning: 'changes were kept in part, or could not be compared',
  },
  api_unavailable: { code: 75, rerun: 'yes', meaning: 'the API stayed unreachable, overloaded or silent' },
  rate_limited: { code: 75, rerun: 'yes', meaning: 'the API asks for a longer wait than `--max-retry-wait`' },
  locked: { code: 75, rerun: 'yes', meaning: 'another run holds the `--lock`' },
  auth: { code: 77, rerun: 'no', meaning: 'no API key, or the API refuses it' },
  billing: { code: 77, rerun: 'no', meaning: 'the account has no credit' },
  config: { code: 78, rerun: 'no', meaning: 'the policy or the configuration is wrong' },
  deadline: { code: 124, rerun: 'resume', meaning: '`--timeout` reached' },
  aborted: {
    code: 130,
    rerun: 'resume',
    meaning: 'ended by its caller: `abort()` in the library, an interrupt of the SDK',
  },
  sighup: { code: 129, rerun: 'resume', meaning: 'ended by SIGHUP' },
  sigint: { code: 130, rerun: 'resume', meaning: 'ended by SIGINT' },
  sigterm: { code: 143, rerun: 'resume', meaning: 'ended by SIGTERM' },
} as const satisfies Record<string, { code: number; rerun: string; meaning: string }>

/** The name of a way to end; `exit_reason` in the result. */
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

/** An error for the reason of a limit of the machine, which is no defect; the error itself otherwise. */
export function asRunError(error: unknown): unknown {
  const isFull =
    !(error instanceof RunError) && /^(?:EMFILE|ENFILE)$/.test(String((error as { code?: unknown } | null)?.code))
  if (!isFull) return error
  return new RunError('io_error', `${messageOf(error)}. Raise the limit on open files: ulimit -n 1024`, {
    cause: error,
  })
}

/** The text of anything thrown, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
