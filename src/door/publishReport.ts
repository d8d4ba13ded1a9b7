import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../contracts/errors.ts'
import type { GitHubSurface } from '../github/openSurface.ts'
import { annotationsOf } from '../report/annotationsOf.ts'
import { renderHtml } from '../report/html/renderHtml.ts'
import type { RunReport } from '../report/runReport.ts'
import { type ActionOutputs, outputsOf } from './actionOutputs.ts'

/** Lies in a step's folder once its outputs are written. */
export const FINISHED = 'finished'

/** Writes the report file, annotations and outputs of a run; returns the outputs. */
export function publishReport(report: RunReport, surface: GitHubSurface, folder: string): ActionOutputs {
  const file = writeReport(join(folder, 'report.html'), report, surface)
  const transcript = report.result?.transcript_path ?? join(folder, 'transcript.jsonl')
  const proposed = join(dirname(transcript), `${report.sessionId}-outputs.jsonl`)
  const files = { transcript, report: file, outputs: existsSync(proposed) ? proposed : '' }
  const outputs = outputsOf(report, folder, files)
  for (const note of annotationsOf(report)) surface.annotate(note)
  for (const [name, value] of Object.entries(outputs)) surface.setOutput(name, value)
  return outputs
}

/** The file, or nothing with a warning where it cannot be written: the outputs must not be missing for it. */
function writeReport(file: string, report: RunReport, surface: GitHubSurface): string {
  try {
    writeFileSync(file, renderHtml([{ name: 'run', report }]), { mode: 0o600 })
    return file
  } catch (error) {
    rmSync(file, { force: true })
    surface.annotate({ level: 'warning', title: 'kode-run: no report', message: messageOf(error) })
    return ''
  }
}
