import { type PlayedRow, playRow } from '../test/faults/playRow.ts'
import { faultRows } from '../test/faults/rows/faultRows.ts'

/**
 * Plays the fault matrix: `npm run faults [-- --all] [GROUP|ROW …]`. Prints a row as it ends; exit 1 where one went otherwise than
 * expected. A row that cannot be played here is skipped with the reason. Needs a build.
 */
const words = process.argv.slice(2)
const isAll = words.includes('--all')
const wanted = words.filter((word) => word !== '--all')
const rows = faultRows.filter(
  ({ row, group, isLong }) =>
    (isAll || !isLong || wanted.includes(row)) &&
    (wanted.length === 0 || wanted.includes(group) || wanted.includes(row)),
)
const played: PlayedRow[] = []
for (const row of rows) {
  const one = await playRow(row)
  played.push(one)
  console.log(`${one.outcome.padEnd(12)} ${row.group} ${row.row.padEnd(10)} ${row.injected}`)
  if (one.outcome === 'skipped') console.log(`${' '.repeat(15)}because: ${one.seen}`)
  else console.log(`${' '.repeat(14)}expected: ${row.expected}`)
  if (one.outcome === 'OTHERWISE') console.log(`${' '.repeat(18)}seen: ${one.seen}`)
}
const count = (outcome: PlayedRow['outcome']) => played.filter((one) => one.outcome === outcome).length
console.log(`\n${count('as expected')} as expected, ${count('OTHERWISE')} otherwise, ${count('skipped')} skipped`)
process.exitCode = count('OTHERWISE') === 0 ? 0 : 1
