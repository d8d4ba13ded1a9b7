import type {
  CheckResult,
  ClaudeModelUsage,
  ModelUsage,
  PermissionDenial,
  PermissionDeniedEvent,
  ResultEvent,
  RunEvent,
} from '../../contracts/events.ts'
import { addCost, addUsage, NO_USAGE, OWN_MODEL, type Usage, withRequest } from '../../contracts/messages.ts'

/** The price of one request in US dollars; null for a model without a known price. */
export type CostOf = (model: string, usage: Usage) => number | null

/**
 * What a run used, requested and was denied. Sub-agents and requests outside the loop count in everything but
 * `num_turns`. `num_tool_calls` are the calls that models requested, including denied ones.
 */
export type Totals = {
  readonly num_turns: number
  readonly num_tool_calls: number
  readonly total_cost_usd: number | null
  readonly cost_is_lower_bound?: true
  readonly usage: Usage
  readonly modelUsage: ResultEvent['modelUsage']
  readonly permission_denials: readonly PermissionDenial[]
  readonly checks: readonly CheckResult[]
  readonly warnings: readonly string[]
}

/** What a request may hold; Claude Code names it for each model. */
type Windows = Pick<ClaudeModelUsage, 'contextWindow' | 'maxOutputTokens'>

/**
 * Counts events one by one, and prices each request with `costOf`; `totals` may be called at any time. An answer in
 * several events (same message id) is counted once. With `windows`, the usage of each model is in Claude Code's names, too.
 */
export function createTotals(costOf: CostOf, windows?: Windows) {
  const models = new Map<string, ModelUsage>()
  const lastMessage = new Map<string | null, string>()
  const denials: PermissionDenial[] = []
  const checks = new Map<string, CheckResult>()
  const warnings: string[] = []
  let turns = 0
  let calls = 0
  let isCostWhole = true

  const addRequest = (model: string, usage: Usage, cost: number | null): void => {
    models.set(model, withRequest(models.get(model), usage, cost))
  }
  const add = (event: RunEvent): void => {
    if (event.type === 'assistant') {
      const { message, parent_tool_use_id } = event
      calls += message.content.filter((block) => block.type === 'tool_use').length
      if (message.model === OWN_MODEL || lastMessage.get(parent_tool_use_id) === message.id) return
      lastMessage.set(parent_tool_use_id, message.id)
      addRequest(message.model, message.usage, costOf(message.model, message.usage))
      if (parent_tool_use_id === null) turns += 1
    } else if (event.type === 'system') {
      if (event.subtype === 'model_call') {
        addRequest(event.model, event.usage, event.cost_usd)
        if (event.is_lower_bound) isCostWhole = false
      }
      if (event.subtype === 'turn_discarded' && event.spent !== undefined) {
        const { model, usage } = event.spent
        addRequest(model, usage, costOf(model, usage))
        isCostWhole = false
      }
      if (event.subtype === 'permission_denied') denials.push(denialOf(event))
      if (event.subtype === 'warning') warnings.push(event.message)
      if (event.subtype === 'mcp_unavailable') warnings.push(`MCP server ${event.server}: ${event.detail}`)
      if (event.subtype === 'check') {
        const { command, ok, exit_code, attempt, leftovers } = event
        checks.set(command, { command, ok, exit_code, attempts: attempt, ...(leftovers && { leftovers }) })
      }
    }
  }
  const totals = (): Totals => {
    const used = [...models.values()]
    return {
      num_turns: turns,
      num_tool_calls: calls,
      total_cost_usd: used.map((model) => model.cost_usd).reduce(addCost, 0),
      ...(isCostWhole ? {} : { cost_is_lower_bound: true }),
      usage: used.reduce<Usage>((sum, model) => addUsage(sum, model), NO_USAGE),
      modelUsage: windows === undefined ? Object.fromEntries(models) : inBothNames(models, windows),
      permission_denials: [...denials],
      checks: [...checks.values()],
      warnings: [...warnings],
    }
  }
  return { add, totals }
}

function inBothNames(models: ReadonlyMap<string, ModelUsage>, windows: Windows): ResultEvent['modelUsage'] {
  const named = [...models].map(([model, usage]) => {
    const claude: ClaudeModelUsage = {
      inputTokens: usage.input_tokens,
      outputTokens: usage.output_tokens,
      cacheReadInputTokens: usage.cache_read_input_tokens,
      cacheCreationInputTokens: usage.cache_creation_input_tokens,
      webSearchRequests: usage.web_search_requests ?? 0,
      ...(usage.cost_usd === null ? {} : { costUSD: usage.cost_usd }),
      ...windows,
    }
    return [model, { ...usage, ...claude }] as const
  })
  return Object.fromEntries(named)
}

/** The reason for people: the model's sentence, or the hook's command and its reason. */
export function denialReason({ decision_reason_type, decision_reason, message }: PermissionDeniedEvent): string {
  return decision_reason_type === 'hook' ? decision_reason : message
}

function denialOf(event: PermissionDeniedEvent): PermissionDenial {
  const { tool_name, tool_use_id, tool_input, rule, source, line, suggestion } = event
  return { tool_name, tool_use_id, tool_input, reason: denialReason(event), rule, source, line, suggestion }
}
