import { describe, expect, it } from 'vitest'
import { mergeRun } from '../../../src/policy/load/mergeSettings.ts'

type Run = Parameters<typeof mergeRun>[0][number]

/** Both orders: neither the extending nor the extended file can loosen what the other says. */
const both = (one: Run, other: Run) => [mergeRun([one, other]), mergeRun([other, one])]

describe('of the limits of two files', () => {
  it.each([
    ...['maxTurns', 'maxBudgetUsd', 'maxToolCalls', 'maxDenials', 'maxTokensTotal', 'maxTokens', 'contextWindow'],
    'maxResultCharacters',
  ])('the smaller %s holds', (key) => {
    expect(both({ [key]: 7 }, { [key]: 3 })).toEqual([{ [key]: 3 }, { [key]: 3 }])
    expect(both({ [key]: 7 }, {})).toEqual([{ [key]: 7 }, { [key]: 7 }])
  })

  it.each(['timeout', 'maxRetryWait', 'bashTimeout', 'bashMaxTimeout', 'backgroundWait', 'apiKeyHelperTtl'])(
    'the shorter %s holds, in milliseconds',
    (key) => {
      const held = { [`${key}Ms`]: 90_000 }
      expect(both({ [key]: '2m' }, { [key]: '90s' })).toEqual([held, held])
      expect(both({ [key]: '90s' }, {})).toEqual([held, held])
    },
  )

  it('every budget across runs holds, in every folder that one names', () => {
    const [day, week] = [
      { usd: 5, within: '1d' },
      { usd: 20, within: '7d' },
    ]
    const one = { ledger: { folder: '/a', limits: [day] } } as unknown as Run
    const other = { ledger: { folder: '/b', limits: [week] } } as unknown as Run
    expect(mergeRun([one, other])).toEqual({ ledger: { folders: ['/a', '/b'], limits: [day, week] } })
    expect(mergeRun([one, one])).toMatchObject({ ledger: { folders: ['/a'] } })
    expect(mergeRun([{}, {}])).toEqual({})
  })
})

it.each(['requireFinish', 'failOnDenied'])('%s stays on once a file turns it on', (key) => {
  expect(both({ [key]: true }, { [key]: false })).toEqual([{ [key]: true }, { [key]: true }])
  expect(both({ [key]: false }, {})).toEqual([{ [key]: false }, { [key]: false }])
})

it.each(['params', 'answers', 'modelIds'])('%s of both files count; the extending one wins', (key) => {
  const [mine, theirs] = [{ [key]: { a: 'mine' } }, { [key]: { a: 'theirs', b: 'theirs' } }]
  expect(mergeRun([mine, theirs] as Run[])).toEqual({ [key]: { a: 'mine', b: 'theirs' } })
})

it('takes everything else from the extending file, and one fallback model as a list', () => {
  const mine: Run = { model: 'mine', fallbackModel: 'x' }
  expect(mergeRun([mine, { model: 'theirs', fallbackModel: ['y', 'z'] }])).toEqual({
    ...{ model: 'mine', fallbackModel: ['x'] },
  })
})
