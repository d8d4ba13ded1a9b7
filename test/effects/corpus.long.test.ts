import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../helpers/bubblewrap.ts'
import { everyNth } from '../helpers/sampled.ts'
import { ALL_ROWS } from './corpus/allRows.ts'
import type { EffectMode } from './corpus/EffectRow.ts'
import { notFor, playEffectRow } from './corpus/playEffectRow.ts'

const hasLandlock = spawnSync('perl', ['-e', 'exit(syscall(444, 0, 0, 1) < 6)']).status === 0

/** A part of each group; the night plays all rows. */
function rowsOf(mode: EffectMode) {
  const rows = ALL_ROWS.filter((row) => notFor(row, mode) === undefined)
  return everyNth(rows, 60).map((row) => [`${row.group} › ${row.row}`, row] as const)
}

const play = (mode: EffectMode) =>
  it.for(rowsOf(mode))('%s', { timeout: 120_000 }, async ([, row]) => {
    expect((await playEffectRow(row, mode)).problems).toEqual([])
  })

describe.skipIf(!hasBubblewrap)('what commands may change, enforced (needs bubblewrap)', () => play('enforced'))

describe('what commands may change, watched', () => play('watched'))

describe.skipIf(!hasBubblewrap || !hasLandlock)('behind Landlock (needs bubblewrap and Landlock)', () =>
  play('landlock'),
)
