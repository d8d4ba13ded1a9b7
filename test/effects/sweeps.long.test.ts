import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../helpers/bubblewrap.ts'
import { isNight } from '../helpers/sampled.ts'
import { killSweep } from './killSweep.ts'
import { runCarried } from './oracle/runCarried.ts'
import { runEffectOracle } from './oracle/runEffectOracle.ts'

const hasStrace = spawnSync('strace', ['-V']).status === 0
const timeout = 3_600_000

describe.skipIf(!hasBubblewrap)('what commands may change (needs bubblewrap)', () => {
  it('holds for random lines under random rules', { timeout }, async () => {
    const lines = isNight ? 400 : 50
    const { violations, losses } = await runEffectOracle({ lines, seed: 1 })
    expect({ violations, losses }).toEqual({ violations: [], losses: [] })
  })

  it('holds for lines that once had to be read', { tags: 'night', timeout }, async () => {
    expect((await runCarried()).violations).toEqual([])
  })

  it.skipIf(!hasStrace)('holds where the run is killed (needs strace)', { tags: 'night', timeout }, async () => {
    expect((await killSweep({ every: 25 })).faults).toEqual([])
  })
})
