import type { Decision } from '../contracts/decision.ts'
import type { ExitReason } from '../contracts/errors.ts'
import type { ModelUsage, ResumedEvent } from '../contracts/events.ts'
import { addUsage, NO_USAGE, tokensOf, type Usage, withRequest } from '../contracts/messages.ts'
import { cut, someOf } from '../lib/text/words.ts'

/** The limits of a run; undefined if money or tokens are not limited. */
export type LimitSettings = {
  readonly turns: number
  readonly budgetUsd: number | undefined
  readonly tokens: number | undefined
  readonly toolCalls: number
  readonly denials: number
}

/** The same number as in Claude Code. */
const MAX_BLOCKS_IN_A_ROW = 3

/** The token limit that replaces the default budget for models without a price. */
export const UNPRICED_TOKENS = 2_000_000

export type LimitReached = { readonly reason: ExitReason; readonly detail: string }

/** What a run has used so far, and whether it may continue. Sub-agents also count for their parent. */
export interface Limits {
  countTurn(): void
  countUsage(model: string, usage: Usage, durationMs: number): void
  countDecision(decision: Decision): void
  /** Counts a tool call. Returns why it may not start if the limit is reached. */
  takeToolCall(): string | undefined
  reached(): LimitReached | undefined
  totals(): Totals
}

export type Totals = {
  readonly turns: number
  readonly toolCalls: number
  readonly denials: number
  readonly usage: Usage
  /** Null if a used model has no price. */
  readonly costUsd: number | null
  readonly apiMs: number
  readonly byModel: Readonly<Record<string, ModelUsage>>
}

/** What a resumed run has used before. */
export type PriorUsage = ResumedEvent['used']

/** Counters for one loop, on top of `before`. All but turns also counts for the `parent`, whose limits hold too. */
export function createLimits(
  most: LimitSettings,
  price: (model: string, usage: Usage) => number | null,
  parent?: Limits,
  before?: PriorUsage,
): Limits {
  const byModel: Record<string, ModelUsage> = { ...before?.models }
  const count = {
    turns: before?.turns ?? 0,
    toolCalls: before?.tool_calls ?? 0,
    denials: before?.denials ?? 0,
    apiMs: 0,
  }
  const denied = new Map<string, number>()
  let blocksInARow = 0
  let hasRefused = false
  const totals = (): Totals => {
    const all = Object.values(byModel)
    const costs = all.map((entry) => entry.cost_usd)
    return {
      ...count,
      usage: all.reduce<Usage>((sum, entry) => addUsage(sum, entry), NO_USAGE),
      costUsd: costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
      byModel: { ...byModel },
    }
  }
  return {
    countTurn() {
      count.turns++
    },
    countUsage(model, usage, durationMs) {
      byModel[model] = withRequest(byModel[model], usage, price(model, usage))
      count.apiMs += durationMs
      parent?.countUsage(model, usage, durationMs)
    },
    countDecision(decision) {
      const subject = subjectOf(decision)
      if (decision.behavior === 'deny') count.denials++
      if (decision.behavior === 'deny' && subject !== undefined) denied.set(subject, (denied.get(subject) ?? 0) + 1)
      if (decision.behavior === 'allow') blocksInARow = 0
      else if (decision.reason.type === 'classifier') blocksInARow++
      parent?.countDecision(decision)
    },
    takeToolCall() {
      if (count.toolCalls >= most.toolCalls) {
        hasRefused = true
        return `the run's limit of ${most.toolCalls} tool calls is reached.`
      }
      const above = parent?.takeToolCall()
      if (above === undefined) count.toolCalls++
      return above
    },
    reached: () =>
      blocksReached(blocksInARow) ??
      firstReached(most, totals(), denied) ??
      (hasRefused ? callsReached(most, count.toolCalls) : undefined) ??
      parent?.reached(),
    totals,
  }
}

/** Stops an agent that keeps trying to get past the judge of `auto` mode. An allowed call resets the count. */
function blocksReached(inARow: number): LimitReached | undefined {
  if (inARow < MAX_BLOCKS_IN_A_ROW) return undefined
  return { reason: 'denial_limit', detail: `The judge of auto mode blocked ${inARow} calls in a row.` }
}

/** Checked only after a call was refused: an agent that needed exactly all its calls may still finish. */
function callsReached({ toolCalls }: LimitSettings, used: number): LimitReached {
  return { reason: 'max_tool_calls', detail: `Tool calls: ${used}, the limit (--max-tool-calls ${toolCalls}).` }
}

function firstReached(
  most: LimitSettings,
  used: Totals,
  denied: ReadonlyMap<string, number>,
): LimitReached | undefined {
  const { denials, turns } = used
  const detail = `Denied calls: ${denials}, the limit (--max-denials ${most.denials})${describe(denied)}.`
  if (denials >= most.denials) return { reason: 'denial_limit', detail }
  if (turns >= most.turns)
    return { reason: 'max_turns', detail: `Turns taken: ${turns}, the limit (--max-turns ${most.turns}).` }
  return costReached(most, Object.values(used.byModel))
}

/** Priced models count in money. Models without a price, such as a sub-agent's, have a token limit of their own. */
function costReached(most: LimitSettings, models: readonly ModelUsage[]): LimitReached | undefined {
  const spent = models.reduce((sum, model) => sum + (model.cost_usd ?? 0), 0)
  const tokens = tokensOf(models)
  const unpriced = tokensOf(models.filter((model) => model.cost_usd === null))
  const over = (detail: string) => ({ reason: 'max_budget', detail }) as const
  if (most.budgetUsd !== undefined && spent >= most.budgetUsd)
    return over(`Spent: ${spent.toFixed(4)} USD of ${most.budgetUsd} (--max-budget-usd).`)
  if (most.tokens !== undefined && tokens >= most.tokens)
    return over(`Tokens used: ${tokens} of ${most.tokens} (--max-tokens-total).`)
  if (most.tokens === undefined && unpriced >= UNPRICED_TOKENS)
    return over(`Tokens of models without a price: ${unpriced} of ${UNPRICED_TOKENS}.`)
  return undefined
}

const MAX_SHOWN = 5
const MAX_LENGTH = 80

/** `: 12 × git push, 8 × write a.md`, the most frequent first; empty if nothing was denied. */
function describe(denied: ReadonlyMap<string, number>): string {
  const sorted = [...denied].sort(([, one], [, other]) => other - one)
  const shown = sorted.map(([subject, times]) => `${times} × ${subject}`)
  return shown.length === 0 ? '' : `: ${someOf(shown, MAX_SHOWN)}`
}

function subjectOf({ parts, reason }: Decision): string | undefined {
  const part = parts.find(({ behavior }) => behavior !== 'allow')?.subject
  const subject = part ?? (reason.type === 'effect' ? `changing ${reason.path}` : undefined)
  return subject === undefined ? undefined : cut(subject.replace(/\s+/g, ' '), MAX_LENGTH)
}
