import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ALL_ROWS } from './corpus/allRows.ts'
import { playEffectRow } from './corpus/playEffectRow.ts'
import { killSweep } from './killSweep.ts'
import { runCarried } from './oracle/runCarried.ts'
import { runEffectOracle } from './oracle/runEffectOracle.ts'

const MINUTE = 60_000
const hasBubblewrap = spawnSync('bwrap', ['--ro-bind', '/', '/', '--proc', '/proc', 'true']).status === 0
const hasStrace = spawnSync('strace', ['-V']).status === 0
/** A part of each group; the workflow of the night plays all rows, and all that is cut below. */
const rows = ALL_ROWS.filter((_, index) => index % 5 === 0).map((row) => [`${row.group} › ${row.row}`, row] as const)

describe.skipIf(!hasBubblewrap)('what commands may change, enforced (needs bubblewrap)', () => {
  it.for(rows)('%s', { timeout: 2 * MINUTE }, async ([, row], { skip }) => {
    const { outcome, problems } = await playEffectRow(row, 'enforced')
    if (outcome === 'skipped') skip(problems.join())
    expect(problems).toEqual([])
  })

  it('holds for random lines under random rules', { timeout: 60 * MINUTE }, async () => {
    const { violations, losses } = await runEffectOracle({ lines: 400, seed: 1 })
    expect({ violations, losses }).toEqual({ violations: [], losses: [] })
  })

  it('holds for lines that once had to be read', { timeout: 30 * MINUTE }, async () => {
    expect((await runCarried()).violations).toEqual([])
  })

  it.skipIf(!hasStrace)('holds where the run is killed (needs strace)', { timeout: 60 * MINUTE }, async () => {
    expect((await killSweep({ every: 25 })).faults).toEqual([])
  })
})

describe('what commands may change, watched', () => {
  it.for(rows)('%s', { timeout: 2 * MINUTE }, async ([, row], { skip }) => {
    const { outcome, problems } = await playEffectRow(row, 'watched')
    if (outcome === 'skipped') skip(problems.join())
    expect(problems).toEqual([])
  })
})
