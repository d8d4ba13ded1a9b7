import { expect, it } from 'vitest'
import type { Checkout } from '../../../src/git/repository/readCheckout.ts'
import type { Resumed } from '../../../src/run/resume/loadResumed.ts'
import { type ResumeOptions, resumeWorkTree } from '../../../src/run/resume/resumeWorkTree.ts'

it.each([
  ['a killed run recorded no changes: refused', null, true, 'was killed before it could record its changes'],
  ['an ended run without changes: nothing to do', 'max_turns', true, undefined],
  ['an ended run that is not applied: nothing to do', 'max_turns', false, undefined],
])('--apply-patch of %s', async (_, exit_reason, applyPatch, refusal) => {
  const checkout = { top: '/project', commit: 'a' } as Checkout
  const resumed = { patch: null, base: 'a', changes: [], event: { from: { exit_reason } } } as unknown as Resumed
  const attempt = resumeWorkTree(checkout, resumed, { config: { applyPatch } } as ResumeOptions)
  if (refusal === undefined) expect(await attempt).toEqual([])
  else await expect(attempt).rejects.toMatchObject({ reason: 'bad_input', message: expect.stringContaining(refusal) })
})

it('says that nobody accounts for what a killed run left', async () => {
  const resumed = { patch: null, base: 'a', changes: [], event: { from: { exit_reason: null } } } as unknown as Resumed
  const checkout = { top: '/project', commit: 'a' } as Checkout
  expect(await resumeWorkTree(checkout, resumed, { config: { applyPatch: false } } as ResumeOptions)).toEqual([
    expect.stringMatching(/^The run was killed .* checks\.protect does not see it\.$/),
  ])
})
