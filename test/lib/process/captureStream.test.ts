import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { stripEscapes } from '../../../src/lib/process/captureStream.ts'

const ESC = '\u001b'
const LINES: readonly (readonly [string, string, string])[] = [
  ['colours', `${ESC}[1;31mred${ESC}[0m ${ESC}[38;5;10mx${ESC}[m`, 'red x'],
  ['cursor movements', `a${ESC}[2K${ESC}[1Ab${ESC}[?25lc`, 'abc'],
  ['titles and links', `${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\b${ESC}]8;;${ESC}\\`, 'ab'],
  ['character sets and modes', `${ESC}(Ba${ESC}=b${ESC}7c`, 'abc'],
  ['text in any encoding stays', `ś ü 漢 ${ESC}[1m\u009b`, 'ś ü 漢 \u009b'],
  ['what only looks like one stays', '[31m ]0; \\e[1m', '[31m ]0; \\e[1m'],
]

function strip(bytes: Buffer, size: number): string {
  const stripper = stripEscapes()
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) parts.push(stripper.write(bytes.subarray(at, at + size)))
  return Buffer.concat([...parts, stripper.end()]).toString()
}

it.each(LINES)('%s, however the stream is cut', (_what, text, plain) => {
  for (const size of [1, 2, 3, 5, 1_000]) expect(strip(Buffer.from(text), size)).toBe(plain)
})

it('removes every escape sequence that Node knows', () => {
  for (const [, text, plain] of LINES.slice(0, 2)) expect(plain).toBe(stripVTControlCharacters(text))
})

it('keeps an unfinished sequence', () => {
  const text = `a${ESC}]0;${'x'.repeat(10_000)}`
  expect(strip(Buffer.from(text), 100).length).toBeGreaterThan(9_000)
  expect(strip(Buffer.from(`a${ESC}[1`), 100)).toBe(`a${ESC}[1`)
})

it('keeps a stream without escape sequences', () => {
  const bytes = Buffer.from([0, 255, 0x9b, 0x33, 0x6d, 10])
  expect(stripEscapes().write(bytes)).toBe(bytes)
})
