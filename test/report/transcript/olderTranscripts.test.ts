import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadReport } from '../../../src/report/fold/loadReport.ts'
import { renderSummary } from '../../../src/report/markdown/summary.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'

/** As 0.1.0 wrote it before records had a `uuid` and results the names of Claude Code. */
const OLDER = join(import.meta.dirname, '../../fixtures/transcripts/withoutSessionFields.jsonl')

it('an older transcript is intact, and has a report', async () => {
  expect(await verifyTranscript(OLDER)).toMatchObject({ isIntact: true, hasEnd: true, records: 35, calls: 9 })
  const { report } = await loadReport(OLDER)
  expect(report).toMatchObject({ verdict: { state: 'good' }, turns: 6, costUsd: 0.0024 })
  expect(renderSummary(report, { maxBytes: 100_000 })).toContain('src/price.js')
})

it('an older run can be continued', { tags: 'long' }, async () => {
  const transcript = join(makeFolder(), 'older.jsonl')
  cpSync(OLDER, transcript)
  const run = await runCli(['--resume', transcript, '--accept-policy-change', '--replay', '../replay.yml', 'Go on.'], {
    policy: 'version: 1\npermissions: { presets: [read-only] }\n',
    files: {
      '../replay.yml': '- expect: Go on.\n  tool: Finish\n  input: { status: completed, summary: Going on. }\n',
    },
    hasKey: false,
  })
  expect([run.code, run.result().result]).toEqual([0, 'Going on.'])
  expect(await verifyTranscript(run.transcript)).toMatchObject({ isIntact: true })
  expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'resumed', used: expect.anything() }))
  const [first] = run.records.filter(({ type }) => type === 'user')
  expect(first).toMatchObject({ parentUuid: null, sessionId: run.result().session_id })
})
