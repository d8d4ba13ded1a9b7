import { expect, it } from 'vitest'
import type { ChangeVerdict, CommandEffects, PathChange } from '../../../src/contracts/effects.ts'
import { isKept, isUndoing, limited, refusals } from '../../../src/effects/judge/JudgeChanges.ts'

const change = (kind: PathChange['kind']) => ({ kind, path: '/p/a' }) as PathChange
const COVERED: ChangeVerdict = { kind: 'covered' }
const REFUSED: ChangeVerdict = { kind: 'refused', why: 'no rule' }
const NEVER: ChangeVerdict = { kind: 'never', why: 'a device' }

it.each<[CommandEffects['access'], PathChange['kind'], ChangeVerdict, ChangeVerdict]>([
  ['write', 'modified', COVERED, COVERED],
  ['read', 'created', COVERED, { kind: 'refused', why: 'the command was meant only to read' }],
  ['read', 'created', NEVER, NEVER],
  ['scratch', 'created', COVERED, { kind: 'refused', why: 'a check keeps only what git ignores' }],
  ['scratch', 'modified', COVERED, { kind: 'skipped' }],
  ['scratch', 'deleted', REFUSED, REFUSED],
])('a command that may %s: %s, %j', (access, kind, verdict, wanted) => {
  expect(limited(change(kind), verdict, { access, mayChangeGit: false, by: 'x' })).toEqual(wanted)
})

it.each<[PathChange['kind'], ChangeVerdict, boolean, readonly object[]]>([
  ['modified', COVERED, false, []],
  ['created', REFUSED, false, [{ why: 'no rule' }]],
  ['modified', REFUSED, true, [{ why: 'no rule' }]],
  ['deleted', REFUSED, true, [{ why: 'no rule' }]],
  ['created', NEVER, true, [{ why: 'a device', isFinal: true }]],
])('%s and %j: undoes all: %s', (kind, verdict, undoes, refused) => {
  const judged = { change: change(kind), verdict }
  expect(isUndoing(judged)).toBe(undoes)
  expect(refusals(judged)).toEqual(refused.map((one) => ({ change: judged.change, ...one })))
})

it('keeps what is covered or ignored', () => {
  const kinds = (['covered', 'scratch', 'skipped', 'refused', 'never'] as const).filter((kind) =>
    isKept({ kind, why: '' }),
  )
  expect(kinds).toEqual(['covered', 'scratch'])
})
