import { expect, test } from 'vitest'
import { NO_USAGE } from '../../src/contracts/messages.ts'
import { costOf, isPriced, prices } from '../../src/model/prices.ts'

const million = 1_000_000

test.each([
  ['claude-sonnet-5-5', { input_tokens: million }, 2],
  ['claude-sonnet-5-5', { output_tokens: million }, 10],
  ['claude-sonnet-5-5', { cache_creation_input_tokens: million }, 2.5],
  ['claude-sonnet-5-5', { cache_read_input_tokens: million }, 0.1],
  ['claude-opus-5-5', { input_tokens: 500_000, output_tokens: 100_000 }, 4],
  ['claude-haiku-4-5-20251001', { input_tokens: million }, 1],
  ['claude-haiku-4-5@20251001', { input_tokens: million }, 1],
  ['anthropic.claude-haiku-4-5-20251001-v1:0', { input_tokens: million }, 1],
  ['global.anthropic.claude-sonnet-5-5', { input_tokens: million }, 2],
  ['apac.anthropic.claude-opus-4-6-v1', { input_tokens: million }, 5],
  [
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    { input_tokens: million },
    3,
  ],
])('%s, %j costs %d dollars', (model, usage, dollars) => {
  expect(costOf(model, { ...NO_USAGE, ...usage }, {})).toBeCloseTo(dollars, 10)
})

test('a long prompt of Haiku 5.5 costs more, for every token of the request', () => {
  const short = { ...NO_USAGE, input_tokens: 100_000, output_tokens: 1000 }
  expect(costOf('claude-haiku-5-5', short, {})).toBeCloseTo(0.0105, 10)
  const long = { ...short, cache_read_input_tokens: 1 }
  expect(costOf('claude-haiku-5-5', long, {})).toBeCloseTo(0.05250005, 10)
})

test('ids are never matched by family', () => {
  for (const model of [
    'claude-sonnet-5-9',
    'claude-sonnet',
    'eu.anthropic.claude-sonnet-5-9',
    'my.claude-opus-5-5',
    'claude-opus-5-5-v2x',
    'gpt-5',
    'toString',
    '__proto__',
    '',
  ]) {
    expect(costOf(model, NO_USAGE, {})).toBeNull()
    expect(isPriced(model, {})).toBe(false)
  }
})

test("the policy's price takes precedence; missing parts follow its input price", () => {
  const pricing = { 'claude-sonnet-5-5': { input: 8, output: 1 } }
  const usage = { ...NO_USAGE, cache_creation_input_tokens: million, cache_read_input_tokens: million }
  expect(costOf('claude-sonnet-5-5', usage, pricing)).toBeCloseTo(10.8, 10)
  expect(
    costOf('local-model', { ...NO_USAGE, output_tokens: million }, { 'local-model': { input: 0, output: 3 } }),
  ).toBe(3)
})

test('the default models are priced', () => {
  for (const model of ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5-5']) expect(prices[model]).toBeDefined()
})

test('searches at the API are paid for one by one', () => {
  const usage = { ...NO_USAGE, web_search_requests: 3 }
  expect(costOf('claude-sonnet-5-5', usage, {})).toBeCloseTo(0.03, 10)
})
