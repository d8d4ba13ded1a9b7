import { describe, expect, it } from 'vitest'
import { hasBubblewrap, needsBubblewrap } from '../helpers/bubblewrap.ts'
import { sampled } from '../helpers/sampled.ts'
import { ALL_ROWS } from './corpus/allRows.ts'
import type { EffectRow } from './corpus/EffectRow.ts'
import { playEffectRow } from './corpus/playEffectRow.ts'

/** One of each kind; all of them are played by `npm run test:all` and `npm run effects`. */
const SAMPLE = [
  ...['usual › a file changed in place', 'programs, an existing file › npm test', 'programs, a new file › a report'],
  ...['git, inside › add and commit', 'git, outside › reset --hard', 'never taken over › a nested repository'],
]

const rows = SAMPLE.map((name) => {
  const row = ALL_ROWS.find((each) => nameOf(each) === name)
  if (row === undefined) throw new Error(`there is no row ${name}`)
  return row
})

function nameOf({ group, row }: EffectRow): string {
  return `${group} › ${row}`
}

describe('what commands may change', () => {
  it('has a unique name for each row', () => {
    const names = ALL_ROWS.map(nameOf)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  describe.skipIf(!hasBubblewrap)(`is enforced${needsBubblewrap}`, () => {
    it.for(
      sampled(
        rows.map((row) => [nameOf(row), row] as const),
        1,
      ),
    )('%s', async ([, row]) => {
      expect((await playEffectRow(row, 'enforced')).problems).toEqual([])
    })
  })

  it.for(
    sampled(
      rows.slice(0, 3).map((row) => [nameOf(row), row] as const),
      0,
    ),
  )('is watched: %s', async ([, row]) => {
    expect((await playEffectRow(row, 'watched')).problems).toEqual([])
  })
})
