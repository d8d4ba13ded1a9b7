import { describe, expect, it } from 'vitest'
import { viewGoldenRun } from '../helpers/runs/goldenRun.ts'
import { endings } from './rows/endings.ts'

const SUBJECTS = { endings }

for (const [subject, rows] of Object.entries(SUBJECTS)) {
  describe(subject, () => {
    for (const [name, row] of Object.entries(rows)) {
      it(name, async () => {
        await expect(await viewGoldenRun(row)).toMatchFileSnapshot(`golden/${subject}/${name.replaceAll(' ', '-')}.txt`)
      })
    }
  })
}
