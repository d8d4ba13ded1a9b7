import { ALL_ROWS } from '../test/effects/corpus/allRows.ts'
import type { EffectMode, EffectRow } from '../test/effects/corpus/EffectRow.ts'
import { playDirect } from '../test/effects/corpus/playDirect.ts'
import { type PlayedEffect, playEffectRow } from '../test/effects/corpus/playEffectRow.ts'
import { playRaw } from '../test/effects/corpus/playRaw.ts'

/**
 * Plays the effect corpus: `npm run effects [-- --raw] [--enforced|--watched|--landlock] [--told] [--jobs N] [GROUP|ROW …]`. Prints what went otherwise
 * than expected; exit 1 where anything did. Needs a build.
 */
const words = process.argv.slice(2)
const take = (flag: string): boolean => {
  const at = words.indexOf(flag)
  if (at >= 0) words.splice(at, 1)
  return at >= 0
}
const isRaw = take('--raw')
const isDirect = take('--direct')
const isTold = take('--told')
const enforcedOnly = take('--enforced')
const watchedOnly = take('--watched')
const landlockOnly = take('--landlock')
const jobsAt = words.indexOf('--jobs')
const jobs = jobsAt < 0 ? 2 : Number(words.splice(jobsAt, 2)[1])
const one = [landlockOnly && 'landlock', enforcedOnly && 'enforced', watchedOnly && 'watched'] as const
const only = one.filter((mode) => mode !== false)
const modes: readonly EffectMode[] = only.length > 0 ? only : ['enforced', 'watched', 'landlock']
const isWanted = ({ row, group }: EffectRow) =>
  words.length === 0 || words.some((word) => group.includes(word) || row === word)
const queue = ALL_ROWS.filter(isWanted).flatMap((row) => modes.map((mode) => ({ row, mode })))
const total = queue.length
const played: PlayedEffect[] = []
const started = performance.now()

function print(one: PlayedEffect): void {
  if (one.outcome === 'as expected' && !isTold) return
  console.log(`${one.outcome.padEnd(11)} ${one.mode.padEnd(8)} ${one.row.group} › ${one.row.row}`)
  for (const problem of one.problems) console.log(`    ${problem.replaceAll('\n', '\n      ')}`)
  if (isTold) for (const text of one.told) console.log(`    told: ${text.replaceAll('\n', '\n          ')}`)
}

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const one = await playEffectRow(next.row, next.mode)
    played.push(one)
    print(one)
  }
}

if (isRaw) {
  for (const { row, mode } of queue.splice(0)) {
    if (mode !== 'enforced') continue
    const problems = playRaw(row)
    if (problems.length > 0) console.log(`HARMLESS ${row.group} › ${row.row}\n    ${problems.join('\n    ')}`)
  }
}
if (isDirect) {
  for (const { row, mode } of queue.splice(0)) {
    if (mode !== 'enforced' || [row.enforced, row.skip, row.hidden].some((set) => set !== undefined)) continue
    const { problems, told } = await playDirect(row)
    if (problems.length > 0) console.log(`OTHERWISE ${row.group} › ${row.row}\n    ${problems.join('\n    ')}`)
    if (isTold) console.log(told.join('\n'))
  }
}
await Promise.all(Array.from({ length: jobs }, work))
const seconds = (performance.now() - started) / 1000
for (const mode of modes) {
  const count = (outcome: PlayedEffect['outcome']) =>
    played.filter((one) => one.mode === mode && one.outcome === outcome).length
  console.log(
    `${mode}: ${count('as expected')} as expected, ${count('OTHERWISE')} otherwise, ${count('skipped')} skipped`,
  )
}
console.log(`${total} plays in ${seconds.toFixed(0)} s`)
process.exitCode = played.some(({ outcome }) => outcome === 'OTHERWISE') ? 1 : 0
