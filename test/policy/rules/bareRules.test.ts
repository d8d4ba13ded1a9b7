import { describe, expect, it } from 'vitest'
import { isRawAllowed, isToolRemoved } from '../../../src/policy/rules/bareRules.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'

it.each([
  [['Bash'], 'Bash', true],
  [['PowerShell'], 'PowerShell', true],
  [['PowerShell'], 'Bash', false],
  [['Bash(git *)'], 'Bash', false],
  // Nothing but a shell runs a text of the model.
  [['Read'], 'Read', false],
])('under %j, may %s run the model’s own text: %s', async (allow, tool, expected) => {
  expect(isRawAllowed(await policyOf({ allow }), tool)).toBe(expected)
})

describe('the pool', () => {
  it.each([
    [{ name: 'Mine', aliases: ['Bash'] }, 'Bash', true],
    [{ name: 'Bash', aliases: ['BashTool'] }, 'Bash', true],
    [{ name: 'Bash', aliases: [] }, 'BashTool', true],
    [{ name: 'Bash', aliases: [] }, 'Bash(rm *)', false],
    [{ name: 'Grep', aliases: [] }, 'Read', true],
    [{ name: 'Read', aliases: [] }, 'Grep', false],
    [{ name: 'Write', aliases: [] }, 'Edit', true],
    [{ name: 'Edit', aliases: [] }, 'Write', false],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s', true],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s__*', true],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__s2', false],
    [{ name: 'mcp__s__t', aliases: [], mcpInfo: { server: 's', tool: 't' } }, 'mcp__*', true],
  ])('%o without %s: %s', async (tool, rule, isRemoved) => {
    expect(isToolRemoved(await policyOf({ deny: [rule] }), tool)).toBe(isRemoved)
    expect(isToolRemoved(await policyOf({ ask: [rule], allow: [] }), tool)).toBe(false)
  })
})
