import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Line, readLines } from '../../../src/report/transcript/readLines.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

async function linesOf(content: string | Buffer, longest = 1_000_000): Promise<Line[]> {
  const path = join(makeFolder(), 'file')
  writeFileSync(path, content)
  const file = await open(path)
  const lines: Line[] = []
  for await (const line of readLines(file, longest)) lines.push(line)
  await file.close()
  return lines
}

it.each([
  ['', []],
  ['a\nbb\n', ['a', 'bb']],
  ['a\n\nb', ['a', '', 'b']],
  ['ä\n', ['ä']],
])('%j is %j', async (content, texts) => {
  expect((await linesOf(content)).map(({ bytes }) => bytes?.toString())).toEqual(texts)
})

it('counts lines and byte offsets, and says whether the last line is ended', async () => {
  const lines = await linesOf('ä\nb\nlast')
  expect(lines.map(({ line, offset, isEnded }) => [line, offset, isEnded])).toEqual([
    [1, 0, true],
    [2, 3, true],
    [3, 5, false],
  ])
})

it('skips the bytes of lines over the limit, and continues after them', async () => {
  const lines = await linesOf(`short\n${'x'.repeat(900_000)}\nafter\n`, 1_000)
  expect(lines.map(({ bytes, length }) => [bytes?.toString(), length])).toEqual([
    ['short', 5],
    [undefined, 900_000],
    ['after', 5],
  ])
})

it('reads lines across buffer boundaries', async () => {
  const texts = Array.from({ length: 500 }, (_, index) => `${index}`.repeat(1_000))
  expect((await linesOf(texts.join('\n'))).map(({ bytes }) => bytes?.toString())).toEqual(texts)
})

it('a line of the limit has its bytes, and one more byte is too many', async () => {
  const lines = await linesOf('abc\nabcd\nab', 3)
  expect(lines.map(({ bytes, length, offset }) => [bytes?.toString(), length, offset])).toEqual([
    ['abc', 3, 0],
    [undefined, 4, 4],
    ['ab', 2, 9],
  ])
})

describe('what is read in several parts', () => {
  const CHUNK = 256 * 1024
  it.each([
    ['ends with a part', `${'x'.repeat(CHUNK - 1)}\n`, [[CHUNK - 1, true]]],
    ['ends with a part, without a line end', 'x'.repeat(CHUNK), [[CHUNK, false]]],
    [
      'has a line end first in the second part',
      `${'x'.repeat(CHUNK)}\ny`,
      [
        [CHUNK, true],
        [1, false],
      ],
    ],
    // What the buffer holds behind the second part is of the first.
    [
      'has a last part without a line end',
      `abc\n${'x'.repeat(CHUNK - 5)}\ndef`,
      [
        [3, true],
        [CHUNK - 5, true],
        [3, false],
      ],
    ],
    [
      'has a last part with a line end',
      `abc\n\n${'x'.repeat(CHUNK - 6)}\ndef\n`,
      [
        [3, true],
        [0, true],
        [CHUNK - 6, true],
        [3, true],
      ],
    ],
  ])('%s', async (_, content, expected) => {
    const lines = await linesOf(content)
    expect(lines.map(({ length, isEnded }) => [length, isEnded])).toEqual(expected)
    expect(lines.map(({ bytes }) => bytes?.toString()).join('\n')).toBe(content.replace(/\n$/, ''))
  })

  it('a line that is too long keeps no part of itself, wherever it is cut', async () => {
    const long = 'x'.repeat(CHUNK + 10)
    const lines = await linesOf(`${long}\nab\n${long}`, CHUNK)
    expect(lines.map(({ bytes, length }) => [bytes?.toString(), length])).toEqual([
      [undefined, CHUNK + 10],
      ['ab', 2],
      [undefined, CHUNK + 10],
    ])
  })
})
