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
  return { state: stateOf(exitReason), title: titleOf(exitReason), detail, exitCode, exitReason }
}

function stateOf(reason: ExitReason): Verdict['state'] {
  const { code, rerun } = EXIT_CODES[reason]
  if (code === 0) return 'good'
  if (code === 3) return 'blocked'
  return code === 4 || rerun === 'resume' ? 'limited' : 'failed'
}

const TITLES: Partial<Record<ExitReason, string>> = {
  completed: 'Completed',
  task_failed: 'The agent reported failure',
  checks_failed: 'Checks failed',
  blocked: 'Blocked by the policy',
  denial_limit: 'Too many denied calls',
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
  io_error: 'A record could not be written',
  api_unavailable: 'The API was not available',
  rate_limited: 'The API asks for a longer wait',
  billing: 'The account has no credit',
  auth: 'No usable API key',
  config: 'The configuration is wrong',
}

/** A short title for a reason; its own name if there is no better one. */
function titleOf(reason: ExitReason): string {
  const words = reason.replaceAll('_', ' ')
  return TITLES[reason] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
