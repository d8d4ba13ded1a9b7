import { describe, expect, it } from 'vitest'
import { parseCall } from '../../../src/commands/policy/parseCall.ts'

describe('parseCall', () => {
  it.each([
    ['Bash(git push)', { tool: 'Bash', input: { command: 'git push' } }],
    ['View(a.ts)', { tool: 'View', input: { file_path: 'a.ts' } }],
    ['BashTool(ls)', { tool: 'BashTool', input: { command: 'ls' } }],
    ['mcp__a__b', { tool: 'mcp__a__b', input: {} }],
    ['Finish', { tool: 'Finish', input: { status: 'completed', summary: 'done' } }],
  ])('%s', (text, call) => expect(parseCall(text)).toEqual(call))

  it.each([
    ['bash(ls)', 'unknown tool "bash" (did you mean "Bash"?)'],
    ['Nope(x)', 'unknown tool "Nope"'],
    ['constructor(x)', 'unknown tool "constructor"'],
    ['Sleep(5)', 'Sleep: give its input with --tool Sleep --input JSON.'],
    ['mcp__a__b(x)', 'mcp__a__b: give its input with'],
  ])('%s is refused', (text, message) => expect(() => parseCall(text)).toThrow(message))
})
