import { expect, test } from 'vitest'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { runOracle } from '../helpers/oracle/runOracle.ts'
import { isNight } from '../helpers/sampled.ts'
import { ATTACKS } from './corpus/attacks.ts'
import { EVERYDAY } from './corpus/everyday.ts'

const corpus = [...ATTACKS, ...EVERYDAY].map((row) => row.text).filter((text) => text.length < 500)

// Other lines each day, the same ones for whoever looks into a failure on that day.
const seed = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''))

const count = isNight ? 4_000 : 600

test(`${count} lines of seed ${seed}: nothing outside the rules runs`, { timeout: 60 * 60_000 }, () => {
  const { violations, allowed } = runOracle({ count, seed, corpus, analyze: analyzeCommand })
  expect(violations).toEqual([])
  expect(allowed).toBeGreaterThan(count / 10)
})
