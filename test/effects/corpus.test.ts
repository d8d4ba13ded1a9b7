import { describe, expect, it } from 'vitest'
import { hasBubblewrap, needsBubblewrap } from '../helpers/bubblewrap.ts'
import { ALL_ROWS, nameOf } from './corpus/allRows.ts'
import { playEffectRow } from './corpus/playEffectRow.ts'

describe('what commands may change', () => {
  it('has a unique name for each row', () => {
    const names = ALL_ROWS.map(nameOf)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it.skipIf(!hasBubblewrap)(`is enforced${needsBubblewrap}`, async () => {
    const row = ALL_ROWS.find((each) => nameOf(each) === 'usual › a file changed in place')
    expect(row && (await playEffectRow(row, 'enforced')).problems).toEqual([])
  })
})
