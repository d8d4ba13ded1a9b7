import { describe, expect, it } from 'vitest'
import type { EffectsReport } from '../../../src/contracts/effects.ts'
import { effectsEvent } from '../../../src/query/runTools/afterCall.ts'
import { BashTool } from '../../../src/tools/BashTool/BashTool.ts'

const NOTHING: EffectsReport = { state: 'enforced', kept: [], scratch: {}, leftOut: [], undone: [] }
const runner = { root: '/p', parentToolUseId: null, auditedEdits: () => [] }
const toolUse = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} } as const
const created = { path: '/p/src/a', kind: 'created', entry: 'file' } as const
const rule = { text: 'Edit(a)', list: 'deny', file: '/p/policy.yml', line: 3 } as const
const undone = [{ change: { path: '/p/a', kind: 'deleted', entry: 'file' }, why: 'it is denied', rule }]
const told = { rule: 'Edit(a)', source: '/p/policy.yml', line: 3 }
const refused = { path: 'a', kind: 'deleted', why: 'it is denied', ...told }
const leftOut = [{ change: created, why: 'no rule' }]
const unnamed = { path: 'src/a', kind: 'created', why: 'no rule', rule: null, source: null, line: null }

describe('effectsEvent', () => {
  it('is absent for a command that changed nothing', () => {
    expect(effectsEvent(toolUse, BashTool, NOTHING, runner)).toBeUndefined()
  })

  it.each([
    ['scratch alone', { scratch: { dist: 4 } }, { scratch: { dist: 4 } }],
    ['an unknown end', { unknown: 'the disk is full' }, { unknown: 'the disk is full' }],
    ['kept paths, from the root', { kept: [created] }, { kept: [{ path: 'src/a', kind: 'created' }] }],
    ['a refused path with the rule and its line', { undone }, { undone: [refused] }],
    ['a path that was left out for want of a rule', { leftOut }, { left_out: [unnamed] }],
  ] as const)('records %s', (_, parts, expected) => {
    const event = effectsEvent(toolUse, BashTool, { ...NOTHING, ...parts } as EffectsReport, runner)
    expect(event).toMatchObject({ subtype: 'effects', tool_use_id: 'toolu_1', state: 'enforced', ...expected })
  })
})
