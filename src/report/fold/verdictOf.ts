import { EXIT_CODES, type ExitReason } from '../../contracts/errors.ts'
import type { ResultEvent } from '../../contracts/events.ts'
import type { Verdict } from './runReport.ts'

/** The verdict on a run by its end record. Green only with exit code 0; a record without an end is never green. */
export function verdictOf(result: ResultEvent | null): Verdict {
  if (result === null) {
    return {
      state: 'unknown',
      title: 'No end record',
      detail: 'The record stops before the run ended: it was killed, or it is still running.',
      exitCode: null,
      exitReason: null,
    }
  }
  const { exit_code: exitCode, exit_reason: exitReason, detail } = result
  return { state: stateOf(exitReason), title: TITLES[exitReason], detail, exitCode, exitReason }
}

function stateOf(reason: ExitReason): Verdict['state'] {
  const { code, rerun } = EXIT_CODES[reason]
  if (code === 0) return 'good'
  if (code === 3) return 'blocked'
  return code === 4 || rerun === 'resume' ? 'limited' : 'failed'
}

/** A few words for each reason. */
const TITLES: Readonly<Record<ExitReason, string>> = {
  completed: 'Completed',
  task_failed: 'The task failed',
  checks_failed: 'Checks failed',
  findings: 'Findings were reported',
  blocked: 'Blocked by the policy',
  denial_limit: 'Too many denied calls',
  actor_denied: 'The actor has no write access',
  untrusted_event: 'The event is not trusted',
  tampering: 'A command changed a file of the runner',
  max_turns: 'Turn limit reached',
  max_budget: 'Budget reached',
  max_tool_calls: 'Tool call limit reached',
  deadline: 'Time limit reached',
  max_tokens: 'Answers cut by the output limit',
  loop: 'Stuck in a loop',
  schema_failed: 'The output does not match the schema',
  empty_answer: 'The model answered with nothing',
  refusal: 'The model refused',
  bad_request: 'The API refuses the request',
  bad_stop_reason: 'The API ended an answer in an unknown way',
  context_exhausted: 'The conversation is too long',
  stopped_by_hook: 'A hook stopped the run',
  stop_hook_loop: 'A Stop hook kept sending the agent back',
  stop_hook_failed: 'A Stop hook failed',
  sandbox_unavailable: 'The sandbox does not start',
  mcp_unavailable: 'An MCP server did not start',
  changes_unknown: 'It is not known what changed',
  replay_mismatch: 'The run does not match the replay',
  transcript_damaged: 'A transcript is damaged',
  cannot_create: 'An output file cannot be created',
  io_error: 'A record could not be written',
  api_unavailable: 'The API was not available',
  rate_limited: 'The API asks for a longer wait',
  locked: 'Another run holds the lock',
  billing: 'The account has no credit',
  auth: 'No usable API key',
  usage: 'A flag or argument is wrong',
  bad_input: 'An input cannot be used',
  config: 'The configuration is wrong',
  internal: 'A defect of kode-run',
  aborted: 'Ended by its caller',
  sighup: 'Ended by SIGHUP',
  sigint: 'Ended by SIGINT',
  sigterm: 'Ended by SIGTERM',
}
