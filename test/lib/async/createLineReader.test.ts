import { expect, test } from 'vitest'
import { createLineReader } from '../../../src/lib/async/createLineReader.ts'

function read(chunks: readonly string[], maxBytes = 100) {
  const lines: string[] = []
  let tooLong = 0
  const reader = createLineReader((line) => lines.push(line), { maxBytes, onTooLong: () => tooLong++ })
  for (const chunk of chunks) reader(Buffer.from(chunk, 'latin1'))
  return { lines, tooLong }
}

test.each<[string, string[], string[]]>([
  ['one line', ['a\n'], ['a']],
  ['several in a chunk', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
  ['one over several chunks', ['a', 'b', 'c\nd'], ['abc']],
  ['a letter that is cut in two', ['\xc3', '\xa4\n'], ['ä']],
  ['no line end', ['abc'], []],
  ['exactly as long as it may be', ['x'.repeat(100), '\n'], ['x'.repeat(100)]],
])('%s', (_, chunks, lines) => {
  expect(read(chunks)).toEqual({ lines, tooLong: 0 })
})

test.each<[string, string[]]>([
  ['in one chunk', [`a\n${'x'.repeat(101)}\nb\n`]],
  ['over several', ['a\n', 'x'.repeat(60), 'x'.repeat(60), 'x'.repeat(60), '\nb\n']],
  ['without an end', ['a\n', 'x'.repeat(500)]],
])('a line that is too long %s ends the reading, once', (_, chunks) => {
  expect(read(chunks)).toEqual({ lines: ['a'], tooLong: 1 })
})
