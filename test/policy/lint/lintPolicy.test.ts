import { expect, it } from 'vitest'
import { lintPolicy } from '../../../src/policy/lint/lintPolicy.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'

// What it says of each mistake is in `golden/findings.txt`. These must never go unsaid.
it.each([
  ...['Bash', 'Bash(*)', 'Bash(* --help)', 'Bash(node *)', 'Bash(bash *)', 'Bash(npx *)', 'Bash(npm run *)'],
  ...['PowerShell', 'Edit', 'Edit(//**)', 'Read', 'Read(~/**)', 'WebFetch', 'WebFetch(domain:*.com)', 'Bash(curl *)'],
])('warns about %s, which allows as good as everything', async (rule) => {
  const [finding, ...more] = lintPolicy(await policyOf({ allow: [rule] }))
  expect(more).toEqual([])
  expect(finding).toMatchObject({ file: '/etc/kode/policy.yml', line: 1, level: 'warning' })
})
