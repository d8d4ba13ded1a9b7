import { expect, it } from 'vitest'
import { foldReport } from '../../src/report/fold/foldReport.ts'
import { renderHtml } from '../../src/report/html/renderHtml.ts'
import { renderSummary } from '../../src/report/markdown/summary.ts'
import { checkFailure, denialText, networkWords, wallWords } from '../../src/report/words.ts'
import { buildEvents, endOf, INIT } from '../helpers/runs/events.ts'

it.each([
  ['none', 'enforced', 'network none (enforced)'],
  ['none', 'off', 'network none (off)'],
  ['allowlist', 'enforced', 'network allowlist (enforced)'],
  // Nothing is enforced, and nothing is meant to be.
  ['open', 'off', 'network: unrestricted'],
] as const)('a network that is %s and %s is described as one', (mode, state, words) => {
  expect(networkWords({ mode, state })).toBe(words)
})

it('summary and page say that an open network is unrestricted', () => {
  const { events, push } = buildEvents()
  push({ ...INIT, network: { mode: 'open', state: 'off' } })
  push(endOf(events, {}))
  const report = foldReport(events)
  expect(renderSummary(report)).toContain('network: unrestricted')
  expect(renderHtml([{ name: 'one', report }])).toContain('network: unrestricted')
})

const { effects: _, ...BARE } = INIT

it.each([
  ['auto', 'off', 'bwrap is missing', 'sandbox off (bwrap is missing; see kode-run doctor), network none (off)'],
  ['off', 'off', 'sandbox.mode is off', 'sandbox off by the policy, network none (off)'],
  ['auto', 'enforced', 'bubblewrap', 'sandbox enforced, network none (off)'],
] as const)('a sandbox of mode %s that is %s says why', (mode, state, detail, words) => {
  expect(
    wallWords({
      ...BARE,
      sandbox: { mode, state, detail },
      network: { mode: 'none', state: 'off' },
    }),
  ).toBe(words)
})

it('names the place of a rule once', () => {
  const rule = { rule: 'Bash(curl *)', suggestion: null }
  const reason =
    'Bash: `curl x` is denied by the rule `Bash(curl *)` (ci/policy.yml:7); other spellings are denied too. Do not look for another way to do the same thing.'
  expect(denialText({ ...rule, reason, source: 'ci/policy.yml', line: 7 })).toBe(
    'Bash: `curl x` is denied by the rule `Bash(curl *)`; other spellings are denied too.',
  )
  expect(denialText({ ...rule, reason: 'no', source: null, line: null })).toBe('no')
})

it.each([
  [1, 'with exit code 1'],
  [null, 'with no exit code'],
  // It changed what no rule covers.
  [0, 'although its exit code is 0'],
])('a check whose exit code is %s says how it failed', (exitCode, words) => {
  expect(checkFailure(exitCode)).toBe(words)
})
