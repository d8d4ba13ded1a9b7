import { describe, expect, it } from 'vitest'
import { checkFailure } from '../../../src/report/fold/checkFailure.ts'

describe('how a check failed', () => {
  it.each([
    [1, 'with exit code 1'],
    [null, 'with no exit code'],
    // It changed what no rule covers.
    [0, 'although its exit code is 0'],
  ])('%s', (exitCode, words) => {
    expect(checkFailure(exitCode)).toBe(words)
  })
})
