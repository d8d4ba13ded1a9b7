import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessIo } from '../contracts/processIo.ts'
import { openGitHubSurface } from '../github/openGitHubSurface.ts'
import { createReportFold } from '../report/fold/foldReport.ts'
import { LARGEST_SUMMARY, renderSummary } from '../report/markdown/summary.ts'
import { readTranscript } from '../report/transcript/readTranscript.ts'
import { outputsWithoutRun } from './actionOutputs.ts'
import { addSummary } from './addSummary.ts'
import { FINISHED, publishReport } from './publishReport.ts'

/** Completes summary and outputs of a step whose main part was killed. Does nothing if it ended by itself. */
export async function finishAction({ environment, warn }: ProcessIo): Promise<void> {
  const folder = environment['STATE_folder']
  if (folder === undefined || folder === '') return (await openGitHubSurface('')).setOutput('conclusion', 'failure')
  if (existsSync(join(folder, FINISHED))) return
  const transcript = join(folder, 'transcript.jsonl')
  if (!existsSync(transcript)) {
    warn('kode-run was killed before it wrote its first record.\n')
    const surface = await openGitHubSurface('')
    for (const [name, value] of Object.entries(outputsWithoutRun(null))) surface.setOutput(name, value)
    return
  }
  const fold = createReportFold()
  for await (const item of readTranscript(transcript)) if (item.kind === 'record') fold.add(item.record)
  const report = fold.report()
  const summary = environment['GITHUB_STEP_SUMMARY']
  if (summary) {
    await addSummary({ warn }, summary, renderSummary(report, { maxBytes: LARGEST_SUMMARY, recordPlace: transcript }))
  }
  await publishReport(report, await openGitHubSurface(''), folder)
  writeFileSync(join(folder, FINISHED), '')
}
