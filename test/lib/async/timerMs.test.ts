import { expect, test } from 'vitest'
import { timerMs } from '../../../src/lib/async/timerMs.ts'

test.each([
  [1500, 1500],
  [0.2, 1],
  [0, 1],
  [-5, 1],
  [1.5, 2],
  [1e15, 2_147_483_647],
  [Number.POSITIVE_INFINITY, 2_147_483_647],
])('%d ms are %d for a timer', (given, expected) => {
  expect(timerMs(given)).toBe(expected)
})
