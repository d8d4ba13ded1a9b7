import fc from 'fast-check'
import { expect, it } from 'vitest'
import { headAndTail } from '../../../src/lib/process/headAndTail.ts'

it('cuts one long line inside it, never inside a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 20, maxLength: 200 }),
      fc.integer({ min: 0, max: 19 }),
      (text, limit) => {
        const cut = headAndTail(text, limit)
        expect(cut.isWellFormed()).toBe(text.isWellFormed())
        expect(cut.length).toBeLessThan(limit + 60)
      },
    ),
  )
})
