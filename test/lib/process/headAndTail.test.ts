import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headAndTail } from '../../../src/lib/process/headAndTail.ts'

describe('headAndTail', () => {
  it('leaves short text alone', () => {
    expect(headAndTail('abc', 3)).toBe('abc')
  })

  it('cuts at line ends near the middle and counts the omitted part', () => {
    const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')
    const cut = headAndTail(text, 120, 'all of it in /blob')
    expect(cut).toMatch(/^line 0\n[\s\S]*line 7\n\[… \d+ characters left out; all of it in \/blob …\]\nline 9/)
    expect(cut.endsWith('\nline 99')).toBe(true)
  })

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
})
