import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../helpers/bubblewrap.ts'
import { everyNth } from '../helpers/sampled.ts'
import { ALL_ROWS, nameOf } from './corpus/allRows.ts'
import type { EffectMode } from './corpus/EffectRow.ts'
import { notFor, playEffectRow } from './corpus/playEffectRow.ts'

const hasLandlock = spawnSync('perl', ['-e', 'exit(syscall(444, 0, 0, 1) < 6)']).status === 0

/** One of each kind, by its name. */
const SAMPLE =
  /^(?:programs, an existing file › npm test|programs, a new file › a report|git, inside › add and commit|git, outside › reset --hard|never taken over › a nested repository)$/

/** A part of each group, and one of each kind; the night plays all rows. */
const play = (mode: EffectMode) => {
  const rows = ALL_ROWS.filter((row) => notFor(row, mode) === undefined)
  const some = new Set([...rows.filter((row) => SAMPLE.test(nameOf(row))), ...everyNth(rows, 60)])
  it.for([...some].map((row) => [nameOf(row), row] as const))('%s', { timeout: 120_000 }, async ([, row]) => {
    expect((await playEffectRow(row, mode)).problems).toEqual([])
  })
}

describe.skipIf(!hasBubblewrap)('what commands may change, enforced (needs bubblewrap)', () => play('enforced'))

describe('what commands may change, watched', () => play('watched'))

describe.skipIf(!hasBubblewrap || !hasLandlock)('behind Landlock (needs bubblewrap and Landlock)', () =>
  play('landlock'),
)
