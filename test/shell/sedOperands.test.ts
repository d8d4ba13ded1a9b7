import { expect, test } from 'vitest'
import { sedOperands } from '../../src/shell/sedOperands.ts'

const written = (line: string): readonly string[] | undefined =>
  sedOperands(line.split(' ').map((value) => ({ kind: 'literal', value })))?.map(({ path }) => path)

test.each([
  ['sed -i p a b', ['a', 'b']],
  ['sed -i.bak p a', ['a', 'a.bak']],
  ['sed -nibak p a', ['a', 'abak']],
  ['sed -ie p a', ['a', 'ae']],
  ['sed --in-place=~ -e p a', ['a', 'a~']],
  // Not every sed forgets a suffix that was given before.
  ['sed -i.bak -i p a', ['a', 'a.bak']],
  ['sed -i --expression=p a', ['a']],
])('%s', (line, paths) => expect(written(line)).toEqual(paths))

test.each(['sed p a', 'sed -i/x p a', 'sed -i* p a', 'sed -i --follow-symlinks p a'])('%s', (line) =>
  expect(written(line)).toBeUndefined(),
)

test('a glob is a target only where its files are all that sed writes', () => {
  const argv = (option: string) =>
    [
      ...['sed', option, 'p'].map((value) => ({ kind: 'literal' as const, value })),
      { kind: 'glob' as const, value: 'src/*' },
    ] as const
  expect(sedOperands(argv('-i'))).toMatchObject([{ path: 'src/*', isPattern: true, isTarget: true }])
  expect(sedOperands(argv('-i.bak'))).toBeUndefined()
})
