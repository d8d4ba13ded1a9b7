import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemRanges, memberRange, skipBlank } from '../../../src/tools/NotebookEditTool/memberRange.ts'

const member = (json: string, key: string) => {
  const range = memberRange(json, skipBlank(json, 0), key)
  return range && json.slice(range.start, range.end)
}

describe('memberRange', () => {
  test.each([
    ['{"a":1,"b":[2,{"a":3}]}', 'b', '[2,{"a":3}]'],
    ['{"a":1,"b":[2,{"a":3}]}', 'a', '1'],
    ['{ "x" : "}\\"]," , "a"\n:\ttrue }', 'a', 'true'],
    ['{"a":1,"a":2}', 'a', '2'],
    ['{"\\u0061":1}', 'a', '1'],
    ['{}', 'a', undefined],
    ['{"b":{"a":1}}', 'a', undefined],
    ['  {"a":-1.0e5}', 'a', '-1.0e5'],
  ])('%s: %s', (json, key, expected) => {
    expect(member(json, key)).toBe(expected)
  })

  test('finds what JSON.parse finds, in any layout', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent)
        const parsed = JSON.parse(json) as Record<string, unknown>
        for (const key of Object.keys(parsed)) expect(JSON.parse(member(json, key) ?? '')).toEqual(parsed[key])
      }),
    )
  })
})

test('itemRanges gives each item', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1), (value, indent) => {
      const json = JSON.stringify(value, null, indent)
      const items = itemRanges(json, 0).map(({ start, end }) => JSON.parse(json.slice(start, end)))
      expect(items).toEqual(JSON.parse(json))
    }),
  )
})
