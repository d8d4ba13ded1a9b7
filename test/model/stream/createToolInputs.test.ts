import { describe, expect, it } from 'vitest'
import { createToolInputs } from '../../../src/model/stream/createToolInputs.ts'

const nested = (levels: number): string => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const long = JSON.stringify({ content: '[{"\\\n'.repeat(400_000) })

function endOf(text: string) {
  const inputs = createToolInputs()
  for (let at = 0; at < text.length || at === 0; at += 1000) inputs.add(0, text.slice(at, at + 1000))
  expect(inputs.size()).toBe(text.length)
  return inputs.end(0)
}

describe('createToolInputs', () => {
  it.each([
    ['no text at all', ''],
    ['an object', '{"command":"ls"}'],
    ['500 levels', nested(500)],
    ['megabytes of brackets and quotes in a text', long],
  ])('takes %s', (_name, text) => {
    expect(endOf(text)).toEqual({ input: JSON.parse(text || '{}') })
  })

  it.each([
    ['an object cut in the middle', '{"command":"rm -rf x","ti', 'is not JSON'],
    ['malformed JSON', '{"a": /b}', 'is not JSON'],
    ['a list', '[1]', 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    ['a text', '"ls"', 'is not a JSON object'],
    ['501 levels, before they overflow a stack', nested(501), 'is nested more than 500 levels deep'],
    ['100,000 levels', nested(100_000), 'is nested more than 500 levels deep'],
  ])('gives no input for %s, and says why', (_name, text, problem) => {
    const end = endOf(text)
    expect(end).toMatchObject({ input: {}, problem: expect.stringContaining(`The input of this call ${problem}`) })
    expect(JSON.stringify(end)).toContain(JSON.stringify(text.slice(0, 100)).slice(1, -1))
  })

  it('keeps only the pieces of events', () => {
    const inputs = createToolInputs()
    const delta = (fields: object) => JSON.stringify({ type: 'content_block_delta', index: 3, delta: fields })
    const piece = delta({ type: 'input_json_delta', partial_json: '{"a":' })
    expect(inputs.withhold(piece)).toBe(delta({ type: 'input_json_delta', partial_json: '' }))
    inputs.withhold(delta({ type: 'input_json_delta', partial_json: '1}' }))
    for (const other of [delta({ type: 'text_delta', text: 'an "input_json_delta"' }), '{"input_json_delta"', 'null']) {
      expect(inputs.withhold(other)).toBe(other)
    }
    expect([inputs.end(3), inputs.end(0)]).toEqual([{ input: { a: 1 } }, undefined])
  })
})
