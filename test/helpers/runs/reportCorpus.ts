import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { sampleRun, stamp } from './events.ts'

const FOLDER = new URL('../../report/corpus/', import.meta.url)

/** Runs as they are recorded, without what the transcript adds. */
export const WRITTEN = readdirSync(FOLDER).map((file): [string, readonly RunEvent[]] => {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8').trimEnd().split('\n')
  return [basename(file, '.jsonl'), lines.map((line) => JSON.parse(line) as RunEvent)]
})

/** Each kind of record, ending, denial, hook, agent, server, check and effect is in one of these runs at least. */
export const RUNS = [
  ['empty', stamp([])] as const,
  ['fixed', stamp(sampleRun())] as const,
  ...WRITTEN.map(([name, events]) => [name, stamp(events, `run-${name}`)] as const),
]

/** Folded by each test anew, since a mutant may be in the fold. */
export function foldRuns() {
  return RUNS.map(([name, events]) => ({ name: `runs/${name}.jsonl`, report: foldReport(events) }))
}

/** The report on one of them. */
export function reportOf(run: string) {
  const found = foldRuns().find(({ name }) => name === `runs/${run}.jsonl`)
  if (found === undefined) throw new Error(`there is no run ${run}`)
  return found
}
