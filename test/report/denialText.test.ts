import { expect, test } from 'vitest'
import { denialText } from '../../src/report/denialText.ts'

test('names the place of a rule once', () => {
  const rule = { rule: 'Bash(curl *)', suggestion: null }
  const reason =
    'Bash: `curl x` is denied by the rule `Bash(curl *)` (ci/policy.yml:7); other spellings are denied too. Do not look for another way to do the same thing.'
  expect(denialText({ ...rule, reason, source: 'ci/policy.yml', line: 7 })).toBe(
    'Bash: `curl x` is denied by the rule `Bash(curl *)`; other spellings are denied too.',
  )
  expect(denialText({ ...rule, reason: 'no', source: null, line: null })).toBe('no')
})
