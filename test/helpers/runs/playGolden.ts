import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type GoldenRun, viewGoldenRun } from './goldenRun.ts'

/** Plays each run, and compares what it was with a file of its name in `folder`. No file is left of a run that is gone. */
export function playGolden(folder: string, subject: string, rows: Readonly<Record<string, GoldenRun>>): void {
  const fileOf = (name: string) => `${name.replaceAll(' ', '-')}.txt`
  describe(subject, () => {
    for (const [name, row] of Object.entries(rows)) {
      it(name, async () => {
        await expect(await viewGoldenRun(row)).toMatchFileSnapshot(join(folder, subject, fileOf(name)))
      })
    }

    it('has no file without its run', () => {
      const names = Object.keys(rows).map(fileOf)
      expect(readdirSync(join(folder, subject)).filter((file) => !names.includes(file))).toEqual([])
    })
  })
}
