import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf, orFail, RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { VERSION } from '../lib/version.ts'
import { loadReport } from '../report/fold/loadReport.ts'
import type { NamedReport } from '../report/fold/mergeReports.ts'
import { nameRuns } from '../report/fold/nameRuns.ts'
import type { RunReport, Verdict } from '../report/fold/runReport.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { findTranscripts, type NamedTranscript, warnOfChange } from './findTranscript.ts'
import type { CommandLine } from './runCommandLine.ts'

/** The renderer of each format; only the requested one is loaded. */
const FORMATS = {
  markdown: async () => (await import('../report/fold/fleetSummary.ts')).renderFleetSummary,
  html: async () => (await import('../report/html/renderHtml.ts')).renderHtml,
  json: async () => (await import('../report/formats/reportJson.ts')).renderReportJson,
  junit: async () => (await import('../report/formats/junit.ts')).renderJunit,
  sarif: async () => {
    const { renderSarif } = await import('../report/formats/sarif.ts')
    return (reports) => renderSarif(reports, VERSION)
  },
  'code-quality': async () => (await import('../report/formats/codeQuality.ts')).renderCodeQuality,
} satisfies Record<string, () => Promise<(reports: readonly NamedReport[]) => string>>

/**
 * `kode-run report TRANSCRIPT…`: renders one or more runs as one document, on stdout or in a file. Damage and
 * changes are reported on stderr. A transcript without any record is `bad_input`.
 */
export async function renderReport(io: ProcessIo, line: CommandLine): Promise<number> {
  const { flags } = line
  const text =
    flags['merge'] === true
      ? await (await import('./mergeTranscripts.ts')).mergeTranscripts(io, line)
      : await renderAll(io, line)
  if (flags['output'] === undefined) io.print(text.endsWith('\n') ? text : `${text}\n`)
  else {
    const path = resolve(io.cwd, String(flags['output']))
    orFail('cannot_create', `--output ${path}`, () => writeFileSync(path, text))
  }
  return 0
}

async function renderAll(io: ProcessIo, line: CommandLine): Promise<string> {
  const transcripts = await findTranscripts(io, line)
  const reports: NamedReport[] = []
  const names = nameRuns(transcripts.map(({ shown }) => shown))
  for (const [index, transcript] of transcripts.entries()) {
    reports.push({ name: names[index] ?? transcript.shown, report: await load(io, transcript) })
  }
  const render = await FORMATS[(line.flags['format'] as keyof typeof FORMATS | undefined) ?? 'markdown']()
  return render(reports)
}

async function load(io: ProcessIo, transcript: NamedTranscript): Promise<RunReport> {
  const { path, shown: file } = transcript
  try {
    const { report, damages } = await loadReport(path)
    if (report.init === null && report.result === null)
      throw new RunError('bad_input', `${file}: contains no record of a run.`)
    const problem = await warnOfChange(io, transcript, 'this report')
    if (problem !== null) return { ...report, verdict: ofChanged(problem, report.verdict) }
    for (const { severity, line, reason } of damages)
      if (severity !== 'harmless') io.warn(escapeWorkflowCommands(`${file}:${line}: ${reason}\n`))
    return report
  } catch (error) {
    if (error instanceof RunError) throw error
    throw new RunError('bad_input', `${file}: ${messageOf(error)}`, { cause: error })
  }
}

/** The verdict on a record that is not as the run wrote it. Never green. */
function ofChanged(problem: string, { title, exitReason }: Verdict): Verdict {
  const said = exitReason === null ? '' : ` Its end says: ${title}.`
  const detail = `The transcript is ${problem}${said}`
  return { state: 'unknown', title: 'The record is not intact', detail, exitCode: null, exitReason: null }
}
