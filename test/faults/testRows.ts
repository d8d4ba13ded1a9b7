import { expect, it } from 'vitest'
import { everyNth } from '../helpers/sampled.ts'
import { playRow } from './playRow.ts'
import { faultRows } from './rows/faultRows.ts'

/**
 * A test for each row that is not long; those that cannot be played here are skipped with their reason. `npm test` plays the
 * one that is named, if any, `npm run test:all` every third, and the night all.
 */
export function testRows(group: string, quick?: string): void {
  const played = faultRows.filter((row) => row.group === group && !row.isLong)
  const inCi = new Set(everyNth(played, 3))
  for (const row of played) {
    const options = { timeout: 120_000, tags: row.row === quick ? [] : inCi.has(row) ? ['long'] : ['night'] }
    const name = `${row.group} ${row.row}: ${row.injected}`
    if (row.problem !== undefined) it.skip(`${name} (${row.problem})`, options, () => undefined)
    else it(name, options, async () => expect((await playRow(row)).seen).toBe(row.expected))
  }
}
