import { EXIT_CODES } from '../../contracts/errors.ts'
import type { ResultEvent } from '../../contracts/events.ts'
import { tokensOf } from '../../contracts/messages.ts'
import { counted, firstOf, formatCost, formatDuration, oneLine } from '../../lib/text/words.ts'
import { spellWord } from '../../shell/words/quoteWord.ts'
import { verdictOf } from '../fold/verdictOf.ts'
import { groupRefused, suggestionYaml } from '../suggestionYaml.ts'
import { proposalWords, refWords } from '../words.ts'
import type { LineState, RunStart } from './LineState.ts'

const LONGEST = 500
const MAX_LINES = 10

/** How the run ended, which rules its policy lacks, where its record is, and how to resume it. */
export function resultLines(event: ResultEvent, state: LineState, isQuiet: boolean): string[] {
  const verdict = verdictOf(event)
  const isGood = verdict.state === 'good'
  if (isQuiet && isGood) return []
  const { num_turns, num_tool_calls, permission_denials, total_cost_usd, duration_ms, exit_code, exit_reason } = event
  const facts = [
    `exit ${exit_code} (${exit_reason})`,
    counted(num_turns, 'turn'),
    counted(num_tool_calls, 'call'),
    `${permission_denials.length} denied`,
    `cost ${formatCost(total_cost_usd, event.cost_is_lower_bound !== true)}`,
    formatDuration(duration_ms),
  ]
  const first = `${isGood ? '✓' : '✗'} ${verdict.title}${verdict.detail === '' ? '' : `: ${verdict.detail}`}`
  const resume = resumeCommand(event, state)
  return [
    first,
    facts.join(' · '),
    ...refLines(event),
    ...suggestionLines(event),
    ...proposalLines(event, state),
    `Transcript: ${event.transcript_path}${state.head === undefined ? '' : ` (head ${state.head})`}`,
    ...(resume === undefined ? [] : [`Continue with: ${resume}`]),
  ]
}

function proposalLines(event: ResultEvent & { readonly run?: string }, { proposed, start }: LineState): string[] {
  if (proposed.length === 0 || event.run === undefined) return []
  const { transcript_path: transcript, run } = event
  const { what, command } = proposalWords(proposed, { transcript, run, policy: start?.policy })
  return [`Proposed: ${what}. Apply with: ${command}`]
}

function refLines({ refs = [] }: ResultEvent): string[] {
  const lines = refs.map((ref) => {
    const commits = !ref.commits ? '' : `, ${counted(ref.commits, 'new commit')}`
    return oneLine(`${ref.name}: ${refWords(ref)}${commits}`, LONGEST)
  })
  return firstOf(lines, MAX_LINES, (left) => `and ${left} more branches and tags`)
}

/** The command that resumes the run; undefined if that would end the same way. */
function resumeCommand(event: ResultEvent, { start }: LineState): string | undefined {
  const { exit_reason, transcript_path } = event
  const { rerun } = EXIT_CODES[exit_reason]
  const higher = start === undefined ? undefined : higherLimit(event, start)
  const helps = rerun === 'resume' || rerun === 'yes' || higher !== undefined
  if (!helps || exit_reason === 'locked') return undefined
  const isInside = start !== undefined && transcript_path.startsWith(`${start.cwd}/`)
  // A transcript in the checkout names no policy of its own.
  const policy = isInside && start.policy !== undefined ? [`--policy ${spellWord(start.policy)}`] : []
  return ['kode-run', `--resume ${spellWord(transcript_path)}`, ...policy, ...(higher ?? [])].join(' ')
}

/** Twice the limit that ended the run, or twice what it has used. A budget may also be one of all runs together. */
function higherLimit(
  { exit_reason: reason, modelUsage, total_cost_usd: cost }: ResultEvent,
  { limits, spent }: RunStart,
): string[] | undefined {
  const { max_turns: turns, max_tool_calls: calls, max_budget_usd: dollars, max_tokens_total: tokens } = limits
  if (reason === 'max_turns' && turns) return [`--max-turns ${turns * 2}`]
  if (reason === 'max_tool_calls' && calls) return [`--max-tool-calls ${calls * 2}`]
  if (reason !== 'max_budget') return undefined
  const used = tokensOf(Object.values(modelUsage))
  if (tokens && used >= tokens) return [`--max-tokens-total ${used * 2}`]
  const whole = spent + (cost ?? 0)
  return dollars && whole >= dollars ? [`--max-budget-usd ${Math.ceil(whole * 2)}`] : undefined
}

function suggestionLines({ suggested }: ResultEvent): string[] {
  if (suggested === undefined) return []
  const { rules, refused } = suggested
  const block = rules.length === 0 ? [] : ['The policy would need:', ...suggestionYaml(rules).trimEnd().split('\n')]
  const lines = groupRefused(refused).map(({ call, why, more }) => {
    return oneLine(`No rule is offered for ${call}${more}: ${why}`, LONGEST)
  })
  const shown = firstOf(lines, MAX_LINES, (left) => `No rule is offered for ${left} more; the summary has them.`)
  return [...block, ...shown]
}
