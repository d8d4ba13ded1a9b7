import { expect, test } from 'vitest'
import type { StreamEnd } from '../../../src/mcp/transport/endCutRequests.ts'
import { limitBodies } from '../../../src/mcp/transport/limitBodies.ts'

const MIB = 1024 ** 2
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call' })

/** What is read of an answer with these chunks, and what is told of the end of its stream. */
async function read(type: string, chunks: readonly (string | Buffer)[], body: unknown = CALL) {
  const ends: StreamEnd[] = []
  const answer = async () => {
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(Buffer.from(chunk))
        controller.close()
      },
    })
    return new Response(stream, { status: 201, headers: { 'content-type': type } })
  }
  const response = await limitBodies(answer, (end) => void ends.push(end))('http://h/mcp', { body } as RequestInit)
  const size = await response.arrayBuffer().then(
    ({ byteLength }) => byteLength,
    (error: unknown) => String(error),
  )
  await new Promise(setImmediate)
  return { status: response.status, size, ends }
}

const LINES = 'text/event-stream; charset=utf-8'
const thirty = Buffer.alloc(30 * MIB, 'x')
const line = Buffer.concat([thirty, Buffer.from('\n')])
const TOO_MUCH = 'Error: the server sent more than 64 MiB'

test('a body may have 64 MiB, and an event stream as much in each line', async () => {
  expect(await read('text/plain', [thirty, line])).toEqual({ status: 201, size: 60 * MIB + 1, ends: [] })
  expect(await read('text/plain', [line, line, line])).toMatchObject({ size: TOO_MUCH, ends: [] })
  expect(await read(LINES, [line, line, line])).toMatchObject({ size: 90 * MIB + 3 })
  expect(await read(LINES, [line, thirty, thirty, thirty])).toMatchObject({ size: TOO_MUCH })
})

test.each<[string, readonly string[], unknown, StreamEnd]>([
  ['a request', ['data: 1\n\n'], CALL, { id: 7, canGoOn: false }],
  ['numbered events', ['data: 1\nid: 5\n\n'], CALL, { id: 7, canGoOn: true }],
  ['a number at once', ['id: 5\n'], CALL, { id: 7, canGoOn: true }],
  ['a number cut in two', ['data: 1\ni', 'd: 5\n\n'], CALL, { id: 7, canGoOn: true }],
  ['a number in a text', ['data: id: 5\n\n'], CALL, { id: 7, canGoOn: false }],
  ['no request', ['data: 1\n\n'], null, { id: undefined, canGoOn: false }],
  ['an answer', ['data: 1\n\n'], '{"id":7,"result":{}}', { id: undefined, canGoOn: false }],
])('the end of a stream is told: of %s', async (_, chunks, body, end) => {
  expect((await read(LINES, chunks, body)).ends).toEqual([end])
})
