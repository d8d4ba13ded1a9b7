import { expect, it } from 'vitest'
import type { EffectsReport, PathChange, RefusedChange } from '../../src/contracts/effects.ts'
import { describeEffects } from '../../src/effects/describeEffects.ts'

const NOTHING: EffectsReport = { state: 'enforced', kept: [], scratch: {}, leftOut: [], undone: [] }
const NO_RULE = 'no Edit rule covers it'

function refused(path: string, kind: PathChange['kind'], rest: Partial<RefusedChange> = {}): RefusedChange {
  return { change: { path, kind, entry: 'file' }, why: NO_RULE, ...rest }
}

it('is empty if everything was kept', () => {
  expect(describeEffects({ ...NOTHING, scratch: { node_modules: 3 } }, '/p')).toBe('')
})

it('names what caused the undo, and what commands may change', () => {
  const report = { ...NOTHING, undone: [refused('/p/package-lock.json', 'modified')], allowed: ['src/**', 'test/**'] }
  expect(describeEffects(report, '/p')).toBe(
    'Nothing that this command changed was kept: package-lock.json (modified) – no Edit rule covers it. ' +
      'Commands may change src/**, test/**, and files that git ignores.',
  )
})

it.each([
  ['one pattern', ['src/**'], 'Commands may change src/** and files that git ignores.'],
  [
    'more than ten',
    Array.from({ length: 12 }, (_, at) => `d${at}`),
    'd9, 2 more patterns, and files that git ignores.',
  ],
])('lists what commands may change: %s', (_, allowed, end) => {
  const report = { ...NOTHING, undone: [refused('/p/a', 'modified')], allowed }
  expect(describeEffects(report, '/p').endsWith(end)).toBe(true)
})

it('says that the rest was kept if only new files are left out and there is a rest', () => {
  const start = 'Not kept: junit.xml (new) – no Edit rule covers it.'
  const end = 'Commands may change only files that git ignores.'
  const report = { ...NOTHING, leftOut: [refused('/p/junit.xml', 'created')], allowed: [] }
  expect(describeEffects(report, '/p')).toBe(`${start} ${end}`)
  const kept = [refused('/p/a.txt', 'modified').change]
  expect(describeEffects({ ...report, kept }, '/p')).toBe(`${start} Everything else that it changed was kept. ${end}`)
})

it('says that the rest was kept if other changes stay although some were undone', () => {
  const kept = [refused('/p/src/q', 'created').change]
  const leftOut = [refused('/p/b', 'created')]
  const report = { ...NOTHING, undone: [refused('/p/a', 'modified')], leftOut, kept, allowed: ['src/**'] }
  expect(describeEffects(report, '/p')).toBe(
    'Put back what this command changed: a (modified), b (new) – no Edit rule covers it. What else changed was kept. ' +
      'Commands may change src/** and files that git ignores.',
  )
})

it('names a deny rule with its file and line', () => {
  const rule = { text: 'Edit(docs/**)', list: 'deny', file: '/p/ci/policy.yml', line: 9 } as const
  const report = { ...NOTHING, undone: [refused('/p/docs/a.md', 'deleted', { why: 'it is denied', rule })] }
  expect(describeEffects(report, '/p')).toContain(
    'docs/a.md (deleted) – it is denied (deny rule Edit(docs/**), policy.yml:9).',
  )
})

it('names a rule once', () => {
  const rule = { text: 'Edit(docs/**)', list: 'ask', file: '/p/ci/policy.yml', line: 9 } as const
  const why = 'not allowed by Edit(docs/**)'
  const report = { ...NOTHING, undone: [refused('/p/docs/a.md', 'deleted', { why, rule })] }
  expect(describeEffects(report, '/p')).toContain(' – not allowed by Edit(docs/**) (ask rule, policy.yml:9).')
})

it('groups paths by reason, and counts those over the limit', () => {
  const many = Array.from({ length: 10 }, (_, index) => refused(`/p/f${index}`, 'created'))
  const odd = refused('/p/x', 'created', { why: 'it is a device' })
  const text = describeEffects({ ...NOTHING, undone: [...many, odd] }, '/p')
  expect(text).toContain('f7 (new) and 2 more – no Edit rule covers it; x (new) – it is a device.')
})

it('names a new folder instead of its contents, if the reason is the same', () => {
  const folder = { change: { path: '/p/new', kind: 'created', entry: 'folder' }, why: NO_RULE } as const
  const undone = [folder, refused('/p/new/a/b', 'created'), refused('/p/newer', 'created')]
  expect(describeEffects({ ...NOTHING, leftOut: undone }, '/p')).toContain('Not kept: new (new), newer (new) –')
})

it('names processes that outlive their call', () => {
  const report = {
    ...NOTHING,
    of: 'bash_1',
    undone: [refused('/p/a', 'modified')],
    leftOut: [refused('/p/b', 'created')],
  }
  expect(describeEffects(report, '/p')).toContain('Put back what bash_1 changed: a (modified), b (new) – no Edit')
})

it('shows the full path of a file outside the root', () => {
  expect(describeEffects({ ...NOTHING, undone: [refused('/other/a', 'modified')] }, '/p')).toContain('/other/a (mod')
})

it('says so if the state of the files is unknown', () => {
  expect(describeEffects({ ...NOTHING, unknown: 'the disk is full' }, '/p')).toBe(
    'It is unknown which changes of this command were kept: the disk is full.',
  )
})
