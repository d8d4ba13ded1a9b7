import { expect, it } from 'vitest'
import { createToolInputs } from '../../../src/model/stream/createToolInputs.ts'
import { guardEvents } from '../../../src/model/stream/guardEvents.ts'

const MIB = 1024 * 1024
const CAPS = { line: 20, response: 60 }

/** What passes of each chunk, whether it completes an event, and the fault at the end. */
function pass(chunks: readonly string[], caps = CAPS): string[] {
  const told: string[] = []
  const guard = guardEvents(caps, (isEvent) => told.push(isEvent ? 'event' : 'bytes'), createToolInputs())
  try {
    for (const chunk of chunks) {
      const out = guard(Buffer.from(chunk))
      if (out !== undefined) told.push(new TextDecoder().decode(out))
    }
  } catch (error) {
    told.push(String(error))
  }
  return told
}

it.each([
  [
    'lines are held back until they are whole',
    ['eve', 'nt: a\nda', 'ta: 1\n\n'],
    ['bytes', 'bytes', 'event: a\n', 'event', 'data: 1\n\n'],
  ],
  ['a ping is no event', ['event: ping\ndata: 1\n\n'], ['bytes', 'event: ping\ndata: 1\n\n']],
  ['a comment is none', [': hello\n'], ['bytes', ': hello\n']],
  ['CR and LF in two chunks are one end', ['a\r', '\nb\r', 'c\n'], ['bytes', 'a\n', 'bytes', 'b\n', 'bytes', 'c\n']],
  ['a line as long as the limit passes', [`${'x'.repeat(20)}\n`], ['bytes', `${'x'.repeat(20)}\n`]],
])('%s', (_, chunks, told) => {
  expect(pass(chunks)).toEqual(told)
})

it.each([
  ['a whole line', [`${'x'.repeat(2 * MIB + 1)}\n`], 'one line of the answer is over 2 MiB'],
  ['a line without an end', ['x', 'x'.repeat(2 * MIB)], 'one line of the answer is over 2 MiB'],
  ['a response', Array.from({ length: 5 }, () => `${'x'.repeat(MIB)}\n`), 'the response of the answer is over 4 MiB'],
])('ends %s that is too long', (_, chunks, message) => {
  expect(pass(chunks, { line: 2 * MIB, response: 4 * MIB }).at(-1)).toContain(message)
})
