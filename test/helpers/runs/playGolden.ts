import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXIT_CODES, type ExitReason } from '../../../src/contracts/errors.ts'
import { type GoldenRun, viewGoldenRun } from './goldenRun.ts'

export type GoldenRuns = {
  readonly rows: Readonly<Record<string, GoldenRun>>
  /** The runs that do not end with 0. A changed file could be nodded away, an exit code not. */
  readonly ends: Readonly<Partial<Record<ExitReason, readonly string[]>>>
}

/** Plays each run, and compares what it was with a file of its name in `folder`. No file is left of a run that is gone. */
export function playGolden(folder: string, subject: string, { rows, ends }: GoldenRuns): void {
  const fileOf = (name: string) => `${name.replaceAll(/[^\w-]+/g, '-')}.txt`
  const codes = new Map(
    Object.entries(ends).flatMap(([reason, names]) =>
      names.map((name) => [name, EXIT_CODES[reason as ExitReason].code] as const),
    ),
  )
  describe(subject, () => {
    for (const [name, row] of Object.entries(rows)) {
      it(name, async () => {
        const { view, code } = await viewGoldenRun(row)
        await expect(view).toMatchFileSnapshot(join(folder, subject, fileOf(name)))
        expect(code).toBe(codes.get(name) ?? 0)
      })
    }

    it('has no file and no end without its run', () => {
      const names = Object.keys(rows)
      const files = readdirSync(join(folder, subject))
      expect(files.filter((file) => !names.map(fileOf).includes(file))).toEqual([])
      expect([...codes.keys()].filter((name) => !names.includes(name))).toEqual([])
    })
  })
}
