import { killSweep } from '../test/effects/killSweep.ts'

/** Kills the built command line while it takes over what a command changed: `node --import tsx scripts/killSweep.ts [EVERY] [FIRST]`. */
const [every = '1', first = '0'] = process.argv.slice(2)
const started = performance.now()
const { points, ends, faults } = await killSweep({
  every: Number(every),
  first: Number(first),
  onPoint: (text) => console.log(text),
})
for (const fault of faults) console.log(`FAULT ${fault}`)
const seconds = Math.round((performance.now() - started) / 1000)
console.log(`${points} kills, ${JSON.stringify(ends)}, ${faults.length} faults, ${seconds} s`)
process.exitCode = faults.length === 0 ? 0 : 1
