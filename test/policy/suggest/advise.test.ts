import { describe, expect, it } from 'vitest'
import type { EffectsReport, RefusedChange } from '../../../src/contracts/effects.ts'
import { refuseEffects } from '../../../src/policy/suggest/advise.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'

const policy = await policyOf({}, { cwd: '/p' })
const NOTHING: EffectsReport = { state: 'enforced', kept: [], scratch: {}, leftOut: [], undone: [] }
const deny = { text: 'Edit(docs/**)', list: 'deny', file: '/p/policy.yml', line: 7 } as const

function change(path: string, rest: Partial<RefusedChange> = {}): RefusedChange {
  return { change: { path, kind: 'modified', entry: 'file' }, why: 'no Edit rule covers it', ...rest }
}

describe('refuseEffects', () => {
  it('is not a denial if everything was kept', () => {
    expect(refuseEffects(policy, { ...NOTHING, scratch: { dist: 2 } })).toBeUndefined()
  })

  it('names the change, and the rule that would cover it', () => {
    const decision = refuseEffects(policy, { ...NOTHING, undone: [change('/p/lib/a[1].js'), change('/p/x.json')] })
    expect(decision).toMatchObject({
      behavior: 'deny',
      reason: { type: 'effect', path: '/p/lib/a[1].js', detail: 'no Edit rule covers it' },
      parts: [{ subject: 'write lib/a[1].js' }, { subject: 'write x.json' }],
      suggestion: ['Edit(lib/a\\[1\\].js)', 'Edit(./x.json)'],
    })
    expect(decision?.message).toContain('Nothing that this command changed was kept: lib/a[1].js (modified)')
  })

  it('names a deny rule wherever it is in the list, and suggests nothing against it', () => {
    const undone = [change('/p/x'), change('/p/docs/a', { why: 'it is denied', rule: deny })]
    const decision = refuseEffects(policy, { ...NOTHING, undone })
    expect(decision?.reason).toEqual({ type: 'rule', rule: deny })
    expect(decision).not.toHaveProperty('suggestion')
  })

  it('counts new files that were left out', () => {
    expect(refuseEffects(policy, { ...NOTHING, leftOut: [change('/p/junit.xml')] })?.behavior).toBe('deny')
  })

  it('suggests no rule if none would help', () => {
    const undone = [change('/p/.venv/bin/python', { why: 'the link leaves the checkout', isFinal: true })]
    expect(refuseEffects(policy, { ...NOTHING, undone })).not.toHaveProperty('suggestion')
  })

  it('suggests nothing outside the project, or for a place that should stay closed', () => {
    for (const path of ['/elsewhere/a', '/p/.git/hooks/pre-commit', '/p/.github/workflows/ci.yml']) {
      expect(refuseEffects(policy, { ...NOTHING, undone: [change(path)] })).not.toHaveProperty('suggestion')
    }
  })
})
