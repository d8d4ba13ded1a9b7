import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../contracts/errors.ts'
import type { GitHubSurface } from '../github/openGitHubSurface.ts'
import { orElse } from '../lib/orElse.ts'
import { parseJson } from '../lib/text/json.ts'
import { annotationsOf } from '../report/fold/annotationsOf.ts'
import type { RunReport } from '../report/fold/runReport.ts'
import { outputsFileName } from '../report/words.ts'
import { type ActionOutputs, OUTPUTS, outputsOf } from './actionOutputs.ts'

/** A file in a step's folder that marks its outputs as written. */
export const FINISHED = 'finished'

/** Writes the report file, annotations and outputs of a run; returns the outputs. `attestation`: where its statement is. */
export async function publishReport(
  report: RunReport,
  surface: GitHubSurface,
  folder: string,
  attestation?: string,
): Promise<ActionOutputs> {
  const transcript = report.result?.transcript_path ?? join(folder, 'transcript.jsonl')
  const proposed = join(dirname(transcript), outputsFileName(String(report.run)))
  const statement = attestation !== undefined && existsSync(attestation) ? attestation : ''
  const write = (name: string, title: string, text: () => string) => written(join(folder, name), surface, title, text)
  // Loaded at the end, so that it takes nothing from the start.
  const { renderHtml } = await import('../report/html/renderHtml.ts')
  const outputs = outputsOf(report, folder, {
    transcript_file: transcript,
    report_file: write('report.html', 'no report', () => renderHtml([{ name: 'run', report }])),
    execution_file: write('execution.json', 'no execution file', () => executionOf(transcript)),
    outputs_file: existsSync(proposed) ? proposed : '',
    attestation_file: statement,
    predicate_file: statement === '' ? '' : write('predicate.json', 'no predicate', () => predicateOf(statement)),
  })
  for (const note of annotationsOf(report)) surface.annotate(note)
  for (const name of OUTPUTS) surface.setOutput(name, outputs[name])
  return outputs
}

/** The transcript as one JSON array, the format of Claude Code's execution file. Leaves out an incomplete line. */
function executionOf(transcript: string): string {
  const lines = readFileSync(transcript, 'utf8').split('\n')
  return `[\n${lines.filter((line) => parseJson(line) !== undefined).join(',\n')}\n]\n`
}

/** The predicate alone, as a platform signs it. */
function predicateOf(statement: string): string {
  const { predicate } = JSON.parse(readFileSync(statement, 'utf8')) as { readonly predicate: unknown }
  return `${JSON.stringify(predicate, null, 2)}\n`
}

/** The path of a file. If it cannot be written: empty, with a warning, so that the other outputs are not lost. */
function written(file: string, surface: GitHubSurface, title: string, text: () => string): string {
  try {
    writeFileSync(file, text(), { mode: 0o600 })
    return file
  } catch (error) {
    // Half of it is worse than nothing. A folder in its place stays.
    orElse(undefined, () => rmSync(file, { force: true }))
    surface.annotate({ level: 'warning', title: `kode-run: ${title}`, message: messageOf(error) })
    return ''
  }
}
