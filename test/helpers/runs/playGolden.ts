import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXIT_CODES } from '../../../src/contracts/errors.ts'
import { type GoldenRun, viewGoldenRun } from './goldenRun.ts'

export type GoldenRuns = Readonly<Record<string, GoldenRun>>

/** Plays each run, and compares what it was with a file of its name in `folder`. No file is left of a run that is gone. */
export function playGolden(folder: string, subject: string, rows: GoldenRuns): void {
  const fileOf = (name: string) => `${name.replaceAll(/[^\w-]+/g, '-')}.txt`
  describe(subject, () => {
    for (const [name, row] of Object.entries(rows)) {
      it(name, async () => {
        const { view, code } = await viewGoldenRun(row)
        await expect(view).toMatchFileSnapshot(join(folder, subject, fileOf(name)))
        expect(code).toBe(row.ends === undefined ? 0 : EXIT_CODES[row.ends].code)
      })
    }

    it('has no file without its run', () => {
      const names = Object.keys(rows)
      const files = readdirSync(join(folder, subject))
      expect(files.filter((file) => !names.map(fileOf).includes(file))).toEqual([])
    })
  })
}
