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
    ['500 levels', nested(500)],
    ['600 lists side by side', JSON.stringify({ x: Array(600).fill([]) })],
    ['megabytes of brackets and quotes in a text', long],
  ])('takes %s', (_name, text) => {
    expect(endOf(text)).toEqual({ input: JSON.parse(text || '{}') })
  })

  it.each([
    ['501 levels, before they overflow a stack', nested(501), 'is nested more than 500 levels deep'],
    ['100,000 levels', nested(100_000), 'is nested more than 500 levels deep'],
  ])('gives no input for %s, and says why', (_name, text, problem) => {
    const end = endOf(text)
    expect(end).toMatchObject({ input: {}, problem: expect.stringContaining(`The input of this call ${problem}`) })
    expect(JSON.stringify(end)).toContain(JSON.stringify(text.slice(0, 100)).slice(1, -1))
  })
})
