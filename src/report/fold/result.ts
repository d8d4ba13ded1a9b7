import { EXIT_CODES, type ExitReason } from '../../contracts/errors.ts'
import type { ResultEvent, ResultSubtype } from '../../contracts/events.ts'
import type { Totals } from './totals.ts'

/** How a run ended, and other facts that only `run.ts` knows; the counts come from the events. */
export type Ending = Omit<ResultEvent, 'type' | 'subtype' | 'is_error' | 'exit_code' | keyof Totals>

/** The last event of a run. `exit_code`, `subtype` and `is_error` follow from the reason, so they cannot disagree. */
export function buildResult(totals: Totals, ending: Ending): ResultEvent {
  const exit_code = EXIT_CODES[ending.exit_reason].code
  const follows = { subtype: subtypeOf(ending.exit_reason), is_error: exit_code !== 0, exit_code }
  // First for their place in the line, last because the rest may be an earlier result.
  return { type: 'result', ...follows, ...ending, ...totals, ...follows }
}

/** Claude Code's word for the end of a run; `success` only with exit code 0. */
export function subtypeOf(reason: ExitReason): ResultSubtype {
  if (EXIT_CODES[reason].code === 0) return 'success'
  if (reason === 'max_turns') return 'error_max_turns'
  if (reason === 'max_budget') return 'error_max_budget_usd'
  return reason === 'schema_failed' ? 'error_max_structured_output_retries' : 'error_during_execution'
}
