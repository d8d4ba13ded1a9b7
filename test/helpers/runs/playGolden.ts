import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXIT_CODES } from '../../../src/contracts/errors.ts'
import { inCode } from '../../run/rows/inCode.ts'
import { viewGoldenRun } from './goldenRun.ts'
import { readRuns } from './readRuns.ts'

const FOLDER = join(import.meta.dirname, '../../run')

/** Plays each run of `run/rows`, and compares what it was with a file of its name. No file is left of a run that is gone. */
export function playGolden(subject: string): void {
  const golden = join(FOLDER, 'golden', subject)
  const fileOf = (name: string) => `${name.replaceAll(/[^\w-]+/g, '-')}.txt`
  const rows = Object.entries(readRuns(join(FOLDER, 'rows', `${subject}.yml`)))
  describe(subject, () => {
    it.each(rows)('%s', async (name, row) => {
      const { view, code } = await viewGoldenRun({ ...row, ...inCode[name] })
      await expect(view).toMatchFileSnapshot(join(golden, fileOf(name)))
      expect(code).toBe(row.ends === undefined ? 0 : EXIT_CODES[row.ends].code)
    })

    it('has no file without its run', () => {
      const names = rows.map(([name]) => fileOf(name))
      expect(readdirSync(golden).filter((file) => !names.includes(file))).toEqual([])
    })
  })
}
