import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadReport } from '../../src/report/fold/loadReport.ts'
import { verifyTranscript } from '../../src/report/transcript/verifyTranscript.ts'
import { playRun } from '../helpers/runs/playRun.ts'
import { sampled } from '../helpers/sampled.ts'

const make = (folder: string, count: number) => ({
  name: 'Bash',
  input: {
    command: `mkdir ${folder}; seq ${count} | while read n; do echo $n > ${folder}/a_rather_long_name_of_a_generated_file_$n; done`,
  },
})

const ROWS = [
  ['commands that add up', ['a', 'b', 'c', 'd', 'e'].map((folder) => make(folder, 3_000)), 15_000],
  ['one command', [make('gen', 14_000)], 14_000],
] as const

it.each(sampled(ROWS, 1, 1))(
  'thousands of files of %s are all in the result, the record and the report',
  async (_, calls, count) => {
    const run = await playRun(calls, {
      args: ['--summary', 'summary.md', '--output-format', 'json'],
      policy: 'version: 1\npermissions: { allow: [Bash, Edit] }\n',
    })
    const { changes, exit_reason } = JSON.parse(run.stdout)
    expect([exit_reason, changes.length], run.stderr).toEqual(['completed', count])
    const [summary = ''] = readFileSync(join(run.project, 'summary.md'), 'utf8').split('<details>')
    expect(summary).toContain(`${count.toLocaleString('en-US')} files`)
    expect(summary.split('\n').length).toBeLessThan(80)
    const path = run.result().transcript_path
    expect(await verifyTranscript(path)).toMatchObject({ problems: [] })
    const { report, damages } = await loadReport(path)
    expect([report.changes.length, damages]).toEqual([count, []])
  },
)
