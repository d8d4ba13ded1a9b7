import { expect, it } from 'vitest'
import type { EffectsEvent } from '../../../src/contracts/events.ts'
import { changesOf } from '../../../src/report/fold/askedCalls.ts'

it('tells what stayed although other changes at the same time were put back', () => {
  const [kept, undone] = [
    [{ path: 'src/q', kind: 'created' }],
    [{ path: 'docs/a', kind: 'modified', reason: 'no Edit rule covers it' }],
  ]
  expect(changesOf({ state: 'watched', kept, left_out: [], undone } as never as EffectsEvent)).toEqual([
    { path: 'src/q', isKept: true },
    { path: 'docs/a', isKept: false },
  ])
})
