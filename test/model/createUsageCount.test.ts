import { expect, it } from 'vitest'
import { createUsageCount } from '../../src/model/createUsageCount.ts'

const start = (usage: object) => ({ type: 'message_start', message: { usage } })
const delta = (fields: object) => ({ type: 'content_block_delta', delta: fields })

it("uses the API's last count, or the received text if that is more", () => {
  const count = createUsageCount({ inputSize: () => 0, toolInputSize: () => 50 })
  count.add(start({ input_tokens: 500_000, output_tokens: 1, cache_read_input_tokens: 7 }))
  expect(count.atLeast()).toMatchObject({ input_tokens: 500_000, output_tokens: 10, cache_read_input_tokens: 7 })
  count.add(delta({ type: 'text_delta', text: 'x'.repeat(50) }))
  count.add(delta({ type: 'thinking_delta', thinking: 'x'.repeat(50) }))
  expect(count.atLeast()).toMatchObject({ input_tokens: 500_000, output_tokens: 30 })
  count.add({ type: 'message_delta', usage: { input_tokens: null, output_tokens: 40 } })
  expect(count.atLeast()).toMatchObject({ input_tokens: 500_000, output_tokens: 40 })
})

it('estimates the input without a count from the API', () => {
  const count = createUsageCount({ inputSize: () => 350, toolInputSize: () => 0 })
  count.add(start({}))
  count.add(delta({ text: 'x'.repeat(50) }))
  expect(count.atLeast()).toMatchObject({ input_tokens: 100, output_tokens: 15 })
})

it("uses the API's input count if only the output is unknown", () => {
  const count = createUsageCount({ inputSize: () => 350, toolInputSize: () => 0 })
  count.add(start({ input_tokens: 9 }))
  expect(count.atLeast()).toMatchObject({ input_tokens: 9, output_tokens: 0 })
})
