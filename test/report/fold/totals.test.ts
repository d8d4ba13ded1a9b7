import { expect, it } from 'vitest'
import { EXIT_CODES, type ExitReason } from '../../../src/contracts/errors.ts'
import { subtypeOf } from '../../../src/report/fold/result.ts'
import { createTotals } from '../../../src/report/fold/totals.ts'
import { buildEvents, endOf, sampleRun } from '../../helpers/runs/events.ts'

const USAGE = { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 3, cache_read_input_tokens: 4 }

it('counts usage, calls and denials of a run', () => {
  const totals = createTotals((_, usage) => usage.output_tokens / 1_000)
  for (const event of sampleRun()) totals.add(event)
  expect(totals.totals()).toMatchObject({
    num_turns: 6,
    num_tool_calls: 5,
    total_cost_usd: 0.57,
    usage: { input_tokens: 1_260, output_tokens: 570 },
    modelUsage: { 'claude-sonnet-5-5': { requests: 6, input_tokens: 1_260 } },
    permission_denials: [{ tool_name: 'Bash', rule: 'Bash(git push *)', source: '.kode/policy.yml', line: 9 }],
    checks: [{ command: 'npm test', ok: true, exit_code: 0, attempts: 2 }],
    warnings: ['The price table is 40 days old.'],
  })
})

it('names the usage of each model as Claude Code does, too', () => {
  const counted = (price: number | null) => {
    const totals = createTotals(() => price, { contextWindow: 200_000, maxOutputTokens: 32_000 })
    for (const event of sampleRun()) totals.add(event)
    return totals.totals().modelUsage['claude-sonnet-5-5']
  }
  const names = {
    ...{ inputTokens: 1_260, outputTokens: 570, cacheReadInputTokens: 38_400, cacheCreationInputTokens: 4_800 },
    ...{ webSearchRequests: 0, contextWindow: 200_000, maxOutputTokens: 32_000 },
  }
  expect(counted(0.5)).toMatchObject({ ...names, costUSD: 3, cost_usd: 3, input_tokens: 1_260 })
  expect(counted(null)).toMatchObject({ ...names, cost_usd: null })
  expect(counted(null)).not.toHaveProperty('costUSD')
})

it('counts sub-agents and side requests, but not as turns', () => {
  const { events, say, push } = buildEvents()
  say([{ type: 'text', text: 'main' }])
  say([{ type: 'text', text: 'sub' }], 'toolu_agent')
  push({
    type: 'system',
    subtype: 'model_call',
    parent_tool_use_id: null,
    purpose: 'judge',
    model: 'small',
    prompt: '',
    answer: '',
    usage: USAGE,
    cost_usd: 0.5,
  })
  const totals = createTotals(() => 1)
  for (const event of events) totals.add(event)
  expect(totals.totals()).toMatchObject({ num_turns: 1, total_cost_usd: 2.5, modelUsage: { small: { requests: 1 } } })
})

it('counts one answer in several events once', () => {
  const { events, say } = buildEvents()
  say([{ type: 'text', text: 'a' }])
  const totals = createTotals(() => 1)
  for (const event of [...events, ...events]) totals.add(event)
  expect(totals.totals()).toMatchObject({ num_turns: 1, total_cost_usd: 1 })
})

it('counts the usage of broken answers as a lower bound', () => {
  const { events, push } = buildEvents()
  const owner = { parent_tool_use_id: null, type: 'system' } as const
  push({ ...owner, subtype: 'turn_discarded', reason: '', blocks: 0, early: [], spent: { model: 'm', usage: USAGE } })
  const totals = createTotals(() => 1)
  for (const event of events) totals.add(event)
  expect(totals.totals()).toMatchObject({ num_turns: 0, total_cost_usd: 1, cost_is_lower_bound: true })
  const whole = createTotals(() => 1)
  push({ ...owner, subtype: 'turn_discarded', reason: '', blocks: 0, early: [], message_id: 'msg_1' })
  for (const event of events.slice(-1)) whole.add(event)
  expect(whole.totals()).toMatchObject({ total_cost_usd: 0 })
  expect(whole.totals()).not.toHaveProperty('cost_is_lower_bound')
})

it('adds costs without the noise of binary fractions', () => {
  const { events, say } = buildEvents()
  for (const text of ['a', 'b', 'c']) say([{ type: 'text', text }])
  const totals = createTotals(() => 0.1)
  for (const event of events) totals.add(event)
  const sums = totals.totals()
  expect([sums.total_cost_usd, ...Object.values(sums.modelUsage).map((model) => model.cost_usd)]).toEqual([0.3, 0.3])
})

it('has no cost if one model has no price', () => {
  const totals = createTotals(() => null)
  for (const event of sampleRun()) totals.add(event)
  expect(totals.totals().total_cost_usd).toBeNull()
})

it.each(Object.keys(EXIT_CODES) as ExitReason[])('%s: code, subtype and is_error agree', (reason) => {
  const result = endOf([], { exit_reason: reason })
  const isGood = EXIT_CODES[reason].code === 0
  expect(result).toMatchObject({ exit_code: EXIT_CODES[reason].code, is_error: !isGood, subtype: subtypeOf(reason) })
  expect(result.subtype === 'success').toBe(isGood)
})
