import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessIo } from '../contracts/processIo.ts'
import { openGitHubSurface } from '../github/openGitHubSurface.ts'
import { createReportFold } from '../report/fold/foldReport.ts'
import { LARGEST_SUMMARY, renderSummary } from '../report/markdown/summary.ts'
import { readTranscript } from '../report/transcript/readTranscript.ts'
import { outputsWithoutRun } from './actionOutputs.ts'
import { addSummary } from './addSummary.ts'
import { closeInheritedDescriptors } from './closeInheritedDescriptors.ts'
import { hideSecrets } from './hideSecrets.ts'
import { openProcessIo, type ProcessControl } from './openProcessIo.ts'
import { FINISHED, publishReport } from './publishReport.ts'
import { runAction } from './runAction.ts'

/** The step's main part. It first hides keys and tokens, which processes of the same user can read in `/proc`. */
export async function main(): Promise<void> {
  const io = openActionIo()
  closeInheritedDescriptors([])
  if (!io.isSuccessor && !hideSecrets()) {
    io.warn(
      'The inputs stay visible in the environment of this process, which this version of Node cannot restart. Use Node 22.15 or newer.\n',
    )
  }
  io.end(await runAction(io))
}

/** The step's last part. The runner starts it however the main part ended. */
export async function post(): Promise<void> {
  await finishAction(openActionIo())
}

/** All output goes to stdout: the runner obeys commands in their order, and two streams would not keep that order. */
function openActionIo(): ProcessControl {
  const io = openProcessIo()
  const cwd = io.environment['GITHUB_WORKSPACE'] || io.cwd
  return { ...io, argv: [], cwd, warn: io.print, readStdin: async () => undefined }
}

/** Completes summary and outputs of a step whose main part was killed. Does nothing if it ended by itself. */
async function finishAction({ environment, warn }: ProcessIo): Promise<void> {
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
