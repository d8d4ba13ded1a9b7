import { describe, expect, it } from 'vitest'
import type { Effort, Thinking } from '../../src/contracts/model.ts'
import { thinkingNotes, thinkingParams } from '../../src/model/thinkingParams.ts'
import { ask, startModel } from '../helpers/model/modelRun.ts'

type Row = readonly [string, Thinking | undefined, Effort | undefined, object]

const adaptive = { thinking: { type: 'adaptive' } }
const effort = (level: Effort) => ({ output_config: { effort: level } })
const budget = (tokens: number) => ({ thinking: { type: 'enabled', budget_tokens: tokens } })
const NEW = ['claude-opus-4-6', 'claude-sonnet-5-5', 'claude-haiku-5-5', 'us.anthropic.claude-opus-4-7-v1:0']
/** How each of these models is told not to think. */
const OFF: readonly (readonly [string, object])[] = [
  ['claude-opus-4-6', {}],
  ['us.anthropic.claude-opus-4-8-v1:0', {}],
  ['claude-opus-5', { thinking: { type: 'disabled' } }],
  ['claude-sonnet-5', { thinking: { type: 'disabled' } }],
  ['claude-haiku-5-5', { thinking: { type: 'disabled' } }],
  ['claude-sonnet-5-5', { thinking: { type: 'between_tools' } }],
  ['claude-opus-5-5', {}],
  ['claude-fable-5-1', {}],
  ['claude-mythos-preview', {}],
]
const OLD = ['claude-haiku-4-5-20251001', 'claude-opus-4-20250514', 'claude-3-7-sonnet-20250219']

describe('thinkingParams', () => {
  it.each<Row>([
    // Nothing asked for: nothing sent, whatever the model.
    ...[...NEW, ...OLD, 'gateway/best'].map((model): Row => [model, undefined, undefined, {}]),
    // A model that decides itself takes an effort and no budget.
    ...NEW.flatMap((model): Row[] => [
      [model, 'adaptive', 'high', { ...adaptive, ...effort('high') }],
      [model, 8000, undefined, adaptive],
    ]),
    // Thinking that is on by default is turned off in the words of each model; where it cannot be, nothing is sent.
    ...OFF.map(([model, off]): Row => [model, 'off', 'low', { ...off, ...effort('low') }]),
    // A higher effort than a model takes becomes the highest that it takes.
    ['claude-opus-4-5', 4000, 'low', { ...budget(4000), ...effort('low') }],
    ['claude-opus-4-5', undefined, 'max', effort('high')],
    ['claude-opus-4-6', undefined, 'xhigh', effort('high')],
    ['claude-opus-4-6', undefined, 'max', effort('max')],
    ['claude-opus-4-7', undefined, 'xhigh', effort('xhigh')],
    ['claude-opus-5', 'adaptive', 'xhigh', { ...adaptive, ...effort('xhigh') }],
    ['claude-opus-5', 'off', 'xhigh', { thinking: { type: 'disabled' }, ...effort('high') }],
    ['claude-sonnet-5-5', 'off', 'max', { thinking: { type: 'between_tools' }, ...effort('high') }],
    // An older one takes a budget below max_tokens, and no effort; off is what it does by itself.
    ...OLD.flatMap((model): Row[] => [
      [model, 'adaptive', 'high', budget(10_000)],
      [model, 4000, undefined, budget(4000)],
      [model, 90_000, undefined, budget(32_000 - 1024)],
      [model, 'off', undefined, {}],
    ]),
    // An unknown name gets what was asked for.
    ['gateway/best', 'adaptive', 'max', { ...adaptive, ...effort('max') }],
    ['gateway/best', 5000, undefined, budget(5000)],
    ['gateway/best', 'off', undefined, { thinking: { type: 'disabled' } }],
  ])('%s %s %s', (model, thinking, level, expected) => {
    const asked = { ...(thinking === undefined ? {} : { thinking }), ...(level === undefined ? {} : { effort: level }) }
    expect(thinkingParams({ model, maxTokens: 32_000, ...asked })).toEqual(expected)
  })

  it('sends no budget that leaves no room for an answer', () => {
    expect(thinkingParams({ model: 'claude-haiku-4-5', maxTokens: 2000, thinking: 1024 })).toEqual({})
  })
})

it('is recomputed for a fallback model', async () => {
  const { client, server } = await startModel((request) => (request.index < 3 ? { status: 529 } : {}), {
    fallbackModels: ['claude-haiku-4-5'],
  })
  await ask(client, { model: 'claude-sonnet-5-5', thinking: 2000, effort: 'low', maxTokens: 8000 })
  const bodies = server.requests.map(({ body }) => [body.model, body.thinking?.type, body.output_config?.effort])
  expect(bodies[0]).toEqual(['claude-sonnet-5-5', 'adaptive', 'low'])
  expect(bodies.at(-1)).toEqual(['claude-haiku-4-5', 'enabled', undefined])
})

it.each<readonly [string, Thinking | undefined, Effort | undefined, string]>([
  [
    ...(['claude-sonnet-5-5', 2000, 'low'] as const),
    'takes no thinking budget: it decides itself how much to think. Use --effort to control it.',
  ],
  ['claude-haiku-4-5', 2000, 'low', 'takes no effort: --effort has no effect on it. Use --max-thinking-tokens.'],
  [
    'claude-opus-5-5',
    'off',
    undefined,
    'always thinks: thinking cannot be turned off. --effort low makes it think least.',
  ],
  ['claude-opus-4-6', undefined, 'xhigh', 'takes no effort xhigh: high is sent.'],
  ['claude-opus-5', 'off', 'max', 'takes no effort max while thinking is off: high is sent.'],
  ['claude-sonnet-5-5', 'off', 'max', 'takes no effort max while thinking is off: high is sent.'],
])('says what a model does not support: %s %s %s', (model, thinking, level, note) => {
  expect(thinkingNotes({ model, thinking, effort: level })).toEqual([`${model} ${note}`])
})
