import { analyzeCommand } from '../src/shell/analyzeCommand.ts'
import { runOracle } from '../test/helpers/oracle/runOracle.ts'
import { HAS_BWRAP } from '../test/helpers/oracle/stage.ts'
import { ATTACKS } from '../test/shell/corpus/attacks.ts'
import { EVERYDAY } from '../test/shell/corpus/everyday.ts'

const [count = '100000', seed = '1'] = process.argv.slice(2)
const corpus = [...ATTACKS, ...EVERYDAY].map((row) => row.text).filter((text) => text.length < 500)
const started = performance.now()
const report = runOracle({
  count: Number(count),
  seed: Number(seed),
  corpus,
  analyze: analyzeCommand,
  report: (done) => {
    if (done % 5000 === 0) console.error(`${done} lines, ${Math.round((performance.now() - started) / 1000)} s`)
  },
})
for (const violation of report.violations) console.log(violation)
console.log(
  `${report.generated} lines, ${report.allowed} allowed and run ${HAS_BWRAP ? 'in bubblewrap' : 'with an empty PATH'}, ` +
    `${report.violations.length} violations, ${report.refused.length} that bash calls a syntax error, ${Math.round((performance.now() - started) / 1000)} s`,
)
process.exitCode = report.violations.length > 0 ? 1 : 0
