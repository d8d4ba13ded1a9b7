import { expect, test } from 'vitest'
import { refusalWords } from '../../src/report/refusalWords.ts'

test('the place of a rule is said once', () => {
  const rule = { rule: 'Bash(curl *)', suggestion: null }
  const reason =
    'Bash: `curl x` is denied by the rule `Bash(curl *)` (ci/policy.yml:7); other spellings are denied too. Do not look for another way to do the same.'
  expect(refusalWords({ ...rule, reason, source: 'ci/policy.yml', line: 7 })).toBe(
    'Bash: `curl x` is denied by the rule `Bash(curl *)`; other spellings are denied too.',
  )
  expect(refusalWords({ ...rule, reason: 'no', source: null, line: null })).toBe('no')
})
