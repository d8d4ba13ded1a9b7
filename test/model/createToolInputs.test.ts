import { describe, expect, it } from 'vitest'
import { createToolInputs } from '../../src/model/createToolInputs.ts'

const nested = (levels: number): string => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const long = JSON.stringify({ content: '[{"\\\n'.repeat(400_000) })

describe('createToolInputs', () => {
  it.each([
    ['no text at all', '', true],
    ['an object', '{"command":"ls"}', true],
    ['an object cut in the middle', '{"command":"rm -rf x","ti', false],
    ['a list', '[1]', false],
    ['500 levels', nested(500), true],
    ['501 levels, before they overflow a stack', nested(501), false],
    ['100,000 levels', nested(100_000), false],
    ['megabytes of brackets and quotes in a text', long, true],
  ])('%s', (_name, text, isWhole) => {
    const inputs = createToolInputs()
    for (let at = 0; at < text.length; at += 1000) inputs.add(0, text.slice(at, at + 1000))
    expect(inputs.isWhole(0)).toBe(isWhole)
    expect(inputs.broken()).toEqual(isWhole ? [] : [0])
  })
})
