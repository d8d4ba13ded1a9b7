import { mkdtempSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Line, readLines } from '../../../src/lib/fs/readLines.ts'

async function linesOf(content: string | Buffer, longest = 1_000_000): Promise<Line[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'lines-')), 'file')
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
