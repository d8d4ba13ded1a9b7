import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Door } from '../contracts/door.ts'
import { openSurface } from '../github/openSurface.ts'
import { createReportFold } from '../report/foldReport.ts'
import { readTranscript } from '../report/readTranscript.ts'
import { LARGEST_SUMMARY, renderSummary } from '../report/summary.ts'
import { addSummary } from './addSummary.ts'
import { FINISHED, publishReport } from './publishReport.ts'

/** Completes summary and outputs of a step whose main part was killed. Does nothing where it ended by itself. */
export async function finishAction({ environment, warn }: Door): Promise<void> {
  const folder = environment['STATE_folder']
  if (folder === undefined || folder === '' || existsSync(join(folder, FINISHED))) return
  const transcript = join(folder, 'transcript.jsonl')
  if (!existsSync(transcript)) {
    warn('kode-run was ended before it had a record.\n')
    return
  }
  const fold = createReportFold()
  for await (const item of readTranscript(transcript)) if (item.kind === 'record') fold.add(item.record)
  const report = fold.report()
  const summary = environment['GITHUB_STEP_SUMMARY']
  if (summary) {
    await addSummary({ warn }, summary, renderSummary(report, { maxBytes: LARGEST_SUMMARY, recordPlace: transcript }))
  }
  publishReport(report, await openSurface(''), folder)
  writeFileSync(join(folder, FINISHED), '')
}
