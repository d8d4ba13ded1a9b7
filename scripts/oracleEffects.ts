import { runCarried } from '../test/effects/oracle/runCarried.ts'
import { runEffectOracle } from '../test/effects/oracle/runEffectOracle.ts'

/** Random lines under random Edit rules: `npm run oracle:effects [-- --lines N] [--seed S] [--carried]`; exit 1 where one leaves a trace outside of them. */
const words = process.argv.slice(2)
const numberAfter = (flag: string, otherwise: number): number => {
  const at = words.indexOf(flag)
  return at < 0 ? otherwise : Number(words[at + 1])
}
if (words.includes('--carried')) {
  const { rows, undone, violations } = await runCarried({ onFound: (text) => console.log(text) })
  console.log(`${rows} rows, ${undone} undone, ${violations.length} violations`)
  process.exit(violations.length > 0 ? 1 : 0)
}
const started = performance.now()
const seconds = () => Math.round((performance.now() - started) / 1000)
const report = await runEffectOracle({
  lines: numberAfter('--lines', 2000),
  seed: numberAfter('--seed', 1),
  onFound: (text) => console.log(text),
  onProgress: (done) => {
    if (done % 500 === 0) console.error(`${done} lines, ${seconds()} s`)
  },
})
const { lines, changed, undone, violations, losses, overRefused } = report
console.log(
  `${lines} lines, ${changed} changed something, ${undone} undone; ${violations.length} violations, ${losses.length} losses, ${overRefused.length} refused though allowed; ${seconds()} s`,
)
process.exitCode = violations.length + losses.length > 0 ? 1 : 0
