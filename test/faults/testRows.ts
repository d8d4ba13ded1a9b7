import { expect, it } from 'vitest'
import type { FaultRow } from './FaultRow.ts'
import { playRow } from './playRow.ts'

/** A test for each row that is quick; those that cannot be played here are skipped with their reason. */
export function testRows(rows: readonly FaultRow[]): void {
  for (const row of rows) {
    if (row.isLong === true) continue
    const reason = row.skip?.()
    const name = `${row.group} ${row.row}: ${row.injected}`
    if (reason !== undefined) it.skip(`${name} (${reason})`, () => undefined)
    else it(name, async () => expect((await playRow(row)).seen).toBe(row.expected), 60_000)
  }
}
