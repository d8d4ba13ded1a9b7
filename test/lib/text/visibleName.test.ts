import { expect, it } from 'vitest'
import { visibleName } from '../../../src/lib/text/visibleName.ts'

it.each([
  ['Käse 🎉 👨‍👩‍👧.txt', 'Käse 🎉 👨‍👩‍👧.txt'],
  ['two\nlines', 'two\\nlines'],
  ['a\r\tb\0', 'a\\r\\tb\\x00'],
  ['\u001b[2Kgone\u007f', '\\x1b[2Kgone\\x7f'],
  ['old\u0085mac\u2028line\u2029', 'old\\u{85}mac\\u{2028}line\\u{2029}'],
  ['gnp.\u202etxt', 'gnp.\\u{202e}txt'],
])('shows %j as %s', (name, shown) => {
  expect(visibleName(name)).toBe(shown)
  expect(visibleName(shown)).toBe(shown)
})
