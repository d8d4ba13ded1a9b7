import { expect, test } from 'vitest'
import { createMessageGate } from '../../../src/mcp/transport/createMessageGate.ts'

const answer = '{"jsonrpc":"2.0","id":1,"result":{}}'
const notification = '{"jsonrpc":"2.0","method":"notifications/message"}'

test('passes messages, ignores blank lines, and reports the first invalid line', () => {
  const gate = createMessageGate()
  expect(gate(answer)).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  expect(gate('  ')).toBeUndefined()
  for (const junk of ['Server is ready', '[1]', '"text"', 'null']) {
    const said = gate(junk)
    if (junk === 'Server is ready') expect(said).toBeInstanceOf(Error)
    else expect(said).toBeUndefined()
  }
})

test('passes a thousand messages of the server per second, and all answers', () => {
  let clock = 0
  const gate = createMessageGate(() => clock)
  const passed = () =>
    Array.from({ length: 1_500 }, () => gate(notification)).filter((one) => one && !(one instanceof Error))
  expect(passed()).toHaveLength(1_000)
  expect(gate(answer)).toMatchObject({ id: 1 })
  clock = 1_000
  expect(passed()).toHaveLength(1_000)
})

test('reports a flood once', () => {
  const gate = createMessageGate(() => 0)
  const errors = Array.from({ length: 3_000 }, () => gate(notification)).filter((one) => one instanceof Error)
  expect(errors).toHaveLength(1)
})
