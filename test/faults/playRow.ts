import { messageOf } from '../../src/contracts/errors.ts'
import { openLab } from './openLab.ts'
import type { FaultRow } from './readMatrix.ts'

/** How a row went. */
export type PlayedRow = {
  readonly row: FaultRow
  readonly outcome: 'as expected' | 'OTHERWISE' | 'skipped'
  /** What was seen, or why nothing was. */
  readonly seen: string
}

/** Plays one row in a lab of its own. Never throws. */
export async function playRow(row: FaultRow): Promise<PlayedRow> {
  if (row.problem !== undefined) return { row, outcome: 'skipped', seen: row.problem }
  const lab = openLab()
  const seen = await row.play(lab).catch((error: unknown) => `threw: ${messageOf(error)}`)
  const left = await lab.close().catch((error: unknown) => `, and: ${messageOf(error)}`)
  const all = `${seen}${left ?? ''}`
  return { row, outcome: all === row.expected ? 'as expected' : 'OTHERWISE', seen: all }
}
