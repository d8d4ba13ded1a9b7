import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLines } from '../../../src/report/transcript/readLines.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

/** What is read at once. */
const CHUNK = 256 * 1024
const MANY = Array.from({ length: 500 }, (_, index) => `${index}`.repeat(1_000))
const x = (count: number) => 'x'.repeat(count)

/** A file, the longest line, and each line: its text, `…` where it is too long, and `¬` where its end is missing. */
const FILES: readonly (readonly [name: string, content: string, longest: number, lines: readonly string[]])[] = [
  ['nothing', '', 9, []],
  ['lines with ends', 'a\nbb\n', 9, ['a', 'bb']],
  ['an empty line, and none at the end', 'a\n\nb', 9, ['a', '', 'b¬']],
  ['bytes, not characters', 'ä\nb\nlast', 9, ['ä', 'b', 'last¬']],
  ['the longest line, and one more byte', 'abc\nabcd\nab', 3, ['abc', '…', 'ab¬']],
  ['a long line between others', `short\n${x(900_000)}\nafter\n`, 1_000, ['short', '…', 'after']],
  ['a line that ends with a part', `${x(CHUNK - 1)}\n`, CHUNK, [x(CHUNK - 1)]],
  ['a line that fills a part', x(CHUNK), CHUNK, [`${x(CHUNK)}¬`]],
  ['a line whose end is in the next part', `${x(CHUNK)}\ny`, CHUNK, [x(CHUNK), 'y¬']],
  // What the buffer holds behind the second part is of the first.
  ['a short last part', `abc\n${x(CHUNK - 5)}\ndef`, CHUNK, ['abc', x(CHUNK - 5), 'def¬']],
  ['a short last part with an end', `abc\n\n${x(CHUNK - 6)}\ndef\n`, CHUNK, ['abc', '', x(CHUNK - 6), 'def']],
  ['long lines over several parts', `${x(CHUNK + 10)}\nab\n${x(CHUNK + 10)}`, CHUNK, ['…', 'ab', '…¬']],
  ['many lines', MANY.join('\n'), CHUNK, MANY.with(-1, `${MANY.at(-1)}¬`)],
]

it.each(FILES)('reads %s', async (_, content, longest, expected) => {
  const path = join(makeFolder(), 'file')
  writeFileSync(path, content)
  const file = await open(path)
  const shown: string[] = []
  const raw = content.split('\n')
  let offset = 0
  for await (const { bytes, isEnded, length, line, offset: at } of readLines(file, longest)) {
    const size = Buffer.byteLength(raw[shown.length] ?? '')
    expect([line, at, length]).toEqual([shown.length + 1, offset, size])
    offset += size + 1
    shown.push(`${bytes === undefined ? '…' : bytes.toString()}${isEnded ? '' : '¬'}`)
  }
  await file.close()
  expect(shown).toEqual(expected)
})
