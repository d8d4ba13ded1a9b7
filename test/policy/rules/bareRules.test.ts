import { expect, it } from 'vitest'
import { isRawAllowed, isRawBashAllowed } from '../../../src/policy/rules/bareRules.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'

it.each([
  [['Bash'], 'Bash', true],
  [['PowerShell'], 'PowerShell', true],
  [['PowerShell'], 'Bash', false],
  [['Bash(git *)'], 'Bash', false],
  // Nothing but a shell runs a text of the model.
  [['Read'], 'Read', false],
])('under %j, may %s run the model’s own text: %s', async (allow, tool, expected) => {
  const policy = await policyOf({ allow })
  expect(isRawAllowed(policy, tool)).toBe(expected)
  if (tool === 'Bash') expect(isRawBashAllowed(policy)).toBe(expected)
})
