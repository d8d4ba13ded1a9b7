import { killRuns } from '../test/faults/killRuns.ts'

/** Kills the built command line at random instants and goes on from there: `node --import tsx scripts/killRuns.ts COUNT [SEED]`. */
const [count = '20', seed = '1'] = process.argv.slice(2)
let faults = 0
let kills = 0
for (const sandbox of ['required', 'off'] as const) {
  const report = await killRuns({
    count: Math.ceil(Number(count) / 2),
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
