import { describe, expect, it } from 'vitest'
import { readPrompt } from '../../src/config/readPrompt.ts'

function prompt(argument: string | undefined, param: readonly string[], piped?: string, params = {}) {
  return readPrompt({ argument, flags: { param }, cwd: '/', params, readStdin: async () => piped })
}

describe('readPrompt', () => {
  it('fills parameters in the task, never in piped text', async () => {
    const task = 'Mend ${{ params.a }} and ${{params.b-c}}.'
    const filled = await prompt(task, ['a=1=2', 'b-c=$&'], 'keep ${{ params.a }}', { a: 'policy', unused: 'x' })
    expect(filled).toBe('Mend 1=2 and $&.\n\n<stdin>\nkeep ${{ params.a }}\n</stdin>')
  })

  it.each<[string, string | undefined, readonly string[], string | undefined, string]>([
    ['a parameter that nobody gives', 'do ${{ params.b }}', [], undefined, 'give --param b=…'],
    ['a slip of a name', 'do ${{ params.name }}', ['name=x', 'nmae=y'], undefined, 'params.nmae. Did you mean name?'],
    ['a parameter that nothing uses', 'do', ['a=1'], undefined, 'It contains no ${{ params.a }}.'],
    ['a parameter for piped text', undefined, ['a=1'], 'do ${{ params.a }}', 'Piped text is never filled in.'],
    ['a pair without a name', 'do', ['=1'], undefined, 'is not NAME=VALUE'],
    ['an empty task', ' ', [], undefined, 'The prompt is empty.'],
    ['a parameter given twice', 'do ${{ params.a }}', ['a=1', 'a=2'], undefined, 'a is given twice'],
  ])('refuses %s', async (_, argument, params, piped, message) => {
    await expect(prompt(argument, params, piped)).rejects.toThrow(message)
  })
})
