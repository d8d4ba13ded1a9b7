import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { foldReport } from '../../../src/report/fold/foldReport.ts'
import { loadReport } from '../../../src/report/fold/loadReport.ts'
import { renderHtml } from '../../../src/report/html/renderHtml.ts'
import { renderSummary } from '../../../src/report/markdown/summary.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { sampleRun, stamp } from '../../helpers/runs/events.ts'

const RECORDS = stamp(sampleRun())

function fileOf(lines: readonly (object | string)[]): string {
  const path = join(makeFolder(), 't.jsonl')
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return path
}

it('is the report of the events', async () => {
  expect(await loadReport(fileOf(RECORDS))).toEqual({ report: foldReport(RECORDS), damages: [] })
})

it('skips records of later versions', async () => {
  const [first] = RECORDS
  const later = [
    { ...first, type: 'rate_limit_event' },
    { ...first, subtype: 'unheard_of' },
  ]
  expect(await loadReport(fileOf([...RECORDS, ...later]))).toMatchObject({ damages: [] })
})

it('reports invalid records, and never fails on them', async () => {
  const [init, , answer] = RECORDS
  const bad = [
    { ...init, tools: 7 },
    { ...answer, message: { content: [{ type: 'tool_use' }] } },
    { ...init, subtype: 'permission_denied' },
    { ...RECORDS.at(-1), changes: null },
  ]
  const { report, damages } = await loadReport(fileOf([...RECORDS.slice(0, 4), ...bad, 'garbage', ...RECORDS.slice(4)]))
  expect(damages.map(({ line }) => line)).toEqual([5, 6, 7, 8, 9])
  expect(renderSummary(report)).toContain('Completed')
  expect(renderHtml([{ name: 'x', report }])).toContain('Completed')
})
