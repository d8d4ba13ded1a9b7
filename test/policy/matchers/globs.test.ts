import { expect, test } from 'vitest'
import { isGlobMatch } from '../../../src/policy/matchers/globs.ts'
import { SEPARATOR } from '../../../src/policy/matchers/parseCommandPattern.ts'

// The pattern `a*b*c`, whose words may be followed by others, or not.
test.each([
  ['axbyc', true, true],
  [`axbyc${SEPARATOR}rest`, true, false],
  [`axbyc${SEPARATOR}`, true, false],
  ['axbycrest', false, false],
  // Each part must be there, in its order, and the last must be the last.
  [`axc${SEPARATOR}rest`, false, false],
  [`axb${SEPARATOR}rest`, false, false],
  [`bxayc${SEPARATOR}rest`, false, false],
])('%j: %s with a tail, %s without', (text, withTail, without) => {
  const segments = ['a', 'b', 'c']
  expect(isGlobMatch({ segments, hasOptionalTail: true } as never, text)).toBe(withTail)
  expect(isGlobMatch({ segments, hasOptionalTail: false } as never, text)).toBe(without)
})
