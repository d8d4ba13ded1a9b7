import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mainLineEnd, replaceText } from '../../src/files/replaceText.ts'

const once = (text: string, oldText: string, newText: string) => replaceText(text, { oldText, newText, isAll: false })
const all = (text: string, oldText: string, newText: string) => replaceText(text, { oldText, newText, isAll: true })

describe('replaceText', () => {
  test.each([
    ['abc', 'b', 'x', 'axc'],
    ['a\nb\nc', 'a\nb', 'x\ny', 'x\ny\nc'],
    ['a\r\nb\r\nc', 'a\nb', 'x\ny\nz', 'x\r\ny\r\nz\r\nc'],
    ['a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'],
    ['a\r\nb\nc\r\n', 'b', 'b\nx', 'a\r\nb\nx\nc\r\n'],
    ['a\nb\r\nc', 'a\nb\nc', 'x', 'x'],
    ['a\r\n\r\nb', 'a\n', 'x\n', 'x\r\n\r\nb'],
    ['a\r\nb', '\nb', '', 'a'],
    ['a\r\nb', 'a\r\nb', 'c\r\nd', 'c\r\nd'],
    ['a b  \n', 'b  ', 'b', 'a b\n'],
    ['no end', 'end', 'end\n', 'no end\n'],
    ['lone\rreturn\n', 'return', 'x', 'lone\rx\n'],
    ['$&', '$&', '$1$&', '$1$&'],
  ])('%j: %j → %j', (text, oldText, newText, expected) => {
    expect(once(text, oldText, newText)).toEqual({ text: expected, matches: 1 })
  })

  test.each([
    ['abc', 'x', 0],
    ['abab', 'ab', 2],
    ['aaa', 'aa', 2],
    ['a\r\na\n', 'a\n', 2],
    ['abc', '', 0],
  ])('%j has no single %j', (text, oldText, matches) => {
    expect(once(text, oldText, 'y')).toEqual({ text: undefined, matches })
  })

  test('replaces all, side by side', () => {
    expect(all('aaaa', 'aa', 'b')).toEqual({ text: 'bb', matches: 2 })
    expect(all('x\r\nx\nx', 'x', 'y\nz')).toEqual({ text: 'y\r\nz\r\ny\nz\ny\nz', matches: 3 })
  })

  test('keeps every byte outside the match', () => {
    const piece = fc.stringMatching(/^[ab\r\n ]{0,12}$/)
    fc.assert(
      fc.property(piece, piece, (before, after) => {
        const { text } = once(`${before}MARK${after}`, 'MARK', 'new')
        expect(text).toBe(`${before}new${after}`)
      }),
    )
  })
})

test.each([
  ['', '\n'],
  ['a\r\nb\r\nc\n', '\r\n'],
  ['a\r\nb\n', '\n'],
])('mainLineEnd(%j)', (text, expected) => {
  expect(mainLineEnd(text)).toBe(expected)
})
