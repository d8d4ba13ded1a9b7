import { killRuns } from '../test/faults/killRuns.ts'

/**
 * Kills the built command line at random instants and goes on from there: `node --import tsx scripts/killRuns.ts COUNT [SEED
 * [SANDBOX]]`. Half of the runs are with the sandbox (`required`) and half without (`off`), or all of them as SANDBOX says.
 */
const [count = '20', seed = '1', only] = process.argv.slice(2)
const sandboxes = (['required', 'off'] as const).filter((mode) => only === undefined || mode === only)
if (sandboxes.length === 0) throw new Error('SANDBOX is required or off')
let faults = 0
let kills = 0
for (const sandbox of sandboxes) {
  const report = await killRuns({
    count: Math.ceil(Number(count) / sandboxes.length),
    seed: Number(seed),
    sandbox,
    onKill: (text) => console.log(`sandbox ${sandbox}: ${text}`),
  })
  for (const fault of report.faults) console.log(`FAULT ${fault}`)
  console.log(
    `sandbox ${sandbox}: ${report.kills} kills, ${JSON.stringify(report.found)}, ${report.faults.length} faults`,
  )
  faults += report.faults.length
  kills += report.kills
}
console.log(`in all: ${kills} kills, ${faults} faults`)
process.exitCode = faults === 0 ? 0 : 1
