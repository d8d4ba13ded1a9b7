import { describe, expect, it } from 'vitest'
import { createPieceIndex, mergeSpans, type Span } from '../../../src/lib/secrets/pieceIndex.ts'

const KEY = 'Zq7-Kp2_vN4xW9tR1bY6mD3'
const find = (text: string) => createPieceIndex([{ name: 'KEY', text: KEY }])(text)
/** What of a text is found, one sign for each character. */
const marks = (text: string, spans: readonly Span[]): string =>
  [...text].map((_, at) => (spans.some(({ start, end }) => start <= at && at < end) ? 'x' : '.')).join('')

describe('createPieceIndex', () => {
  it('finds each piece of twelve characters, behind any number of others', () => {
    for (let from = 0; from + 12 <= KEY.length; from++)
      for (let before = 0; before < 15; before++) {
        const text = `${'.'.repeat(before)}${KEY.slice(from, from + 12)}..`
        expect(marks(text, find(text))).toBe(`${'.'.repeat(before)}${'x'.repeat(12)}..`)
      }
  })

  it('finds no piece of eleven, and none of other characters', () => {
    for (let from = 0; from + 11 <= KEY.length; from++)
      for (let before = 0; before < 8; before++) {
        const text = `${'.'.repeat(before)}${KEY.slice(from, from + 11)}.`
        expect(find(text)).toEqual([])
      }
    expect(find(`${KEY.slice(0, 6)}.${KEY.slice(6, 17)}`)).toEqual([])
    expect(find('')).toEqual([])
  })

  it('finds each piece once, also far behind the start', () => {
    for (const before of [0, 1, 50]) {
      const starts = find(`${'.'.repeat(before)}${KEY}`).map(({ start }) => start)
      expect(starts).toEqual(Array.from({ length: KEY.length - 11 }, (_, at) => before + at))
    }
  })

  it('names the first secret that has a piece', () => {
    const both = createPieceIndex([
      { name: 'A', text: `${KEY.slice(0, 12)}!` },
      { name: 'B', text: `${KEY.slice(0, 12)}?` },
    ])
    expect(both(KEY).map(({ name }) => name)).toEqual(['A'])
    expect(both(`${KEY.slice(1, 12)}?`).map(({ name }) => name)).toEqual(['B'])
  })

  it.each([
    ['one sign', '------------', false],
    ['three signs', 'abcabcabcabc', false],
    ['four signs', 'abcdabcdabcd', true],
    ['four signs, the last at the end', 'aaaaaaaaabcd', true],
  ])('a piece of %s is looked for: %s', (_, piece, isFound) => {
    expect(createPieceIndex([{ name: 'A', text: piece }])(`<${piece}>`)).toEqual(
      isFound ? [{ start: 1, end: 13, name: 'A' }] : [],
    )
  })

  it('goes on behind a part that is not looked for', () => {
    const text = `${'-'.repeat(30)}${KEY}`
    const own = createPieceIndex([{ name: 'A', text }])
    expect(marks(KEY, own(KEY))).toBe('x'.repeat(KEY.length))
    expect(own('-'.repeat(30))).toEqual([])
  })

  it('finds secrets of many characters', () => {
    const text = Array.from({ length: 40_000 }, (_, index) => ((index * 7919) % 1_000_003).toString(36)).join('')
    const own = createPieceIndex([{ name: 'A', text }])
    for (const at of [0, 1, 70_000, text.length - 12]) expect(own(text.slice(at, at + 12))).toHaveLength(1)
    expect(own(KEY)).toEqual([])
  })
})

/** How often something is looked up exactly while the step runs. */
function lookUps(step: () => void): number {
  const { get } = Map.prototype
  let count = 0
  Map.prototype.get = function (key) {
    count += 1
    return get.call(this, key)
  }
  try {
    step()
  } finally {
    Map.prototype.get = get
  }
  return count
}

describe('a text without a secret', () => {
  /** Letters in no order, the same ones each time. */
  const letters = (length: number, seed: number) => {
    let state = seed
    return Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return String.fromCharCode(33 + ((state >>> 16) % 90))
    }).join('')
  }

  // One of seven places is probed, and few of these need seven exact looks each.
  it.each([
    ['a short secret', KEY.length],
    ['long secrets', 150_000],
  ])('is hardly ever looked up exactly: %s', (_, length) => {
    const own = createPieceIndex([{ name: 'A', text: letters(length, 1) }])
    const text = letters(70_000, 2)
    expect(lookUps(() => expect(own(text)).toEqual([]))).toBeLessThan(10_000)
  })
})

describe('mergeSpans', () => {
  const span = (start: number, end: number, name = 'A'): Span => ({ start, end, name })
  it.each<[string, readonly Span[], readonly Span[]]>([
    ['none', [], []],
    ['apart', [span(5, 7), span(0, 2)], [span(0, 2), span(5, 7)]],
    ['overlapping', [span(0, 4), span(2, 6)], [span(0, 6)]],
    ['one within the other', [span(0, 9), span(2, 6)], [span(0, 9)]],
    ['touching', [span(0, 4), span(4, 6)], [span(0, 4), span(4, 6)]],
    ['touching under two names', [span(0, 4), span(4, 6, 'B')], [span(0, 4), span(4, 6, 'B')]],
    ['overlapping under two names', [span(2, 6, 'B'), span(0, 4)], [span(0, 6)]],
    ['one start: the longer names it', [span(0, 4), span(0, 6, 'B')], [span(0, 6, 'B')]],
  ])('%s', (_, spans, merged) => {
    expect(mergeSpans(spans)).toEqual(merged)
  })
})
