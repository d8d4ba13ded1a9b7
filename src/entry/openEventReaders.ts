import { createHash } from 'node:crypto'
import { fsyncSync, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Config } from '../config/resolveConfig.ts'
import { EXIT_CODES, messageOf, orFail, RunError } from '../contracts/errors.ts'
import type { TranscriptRecord } from '../contracts/events.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { type OutputFile, openOutputFile, outputProblem, removeOutput } from '../files/openOutputFile.ts'
import { realPath } from '../lib/fs/atPath.ts'
import { createConsole } from '../report/console/console.ts'
import { hasColors } from '../report/console/paintLine.ts'
import { annotationsOf } from '../report/fold/annotationsOf.ts'
import { createReportFold } from '../report/fold/foldReport.ts'
import type { RunReport } from '../report/fold/runReport.ts'
import { annotationCommand } from '../report/formats/annotationCommand.ts'
import { createOutput } from '../report/formats/output.ts'
import { LARGEST_SUMMARY, renderSummary } from '../report/markdown/summary.ts'
import { lineOf } from '../report/transcript/bodies.ts'
import { isPassing } from '../report/transcript/transcript.ts'

export type Readers = ReturnType<typeof openEventReaders>

/**
 * Opens console, stdout, summary and last message for a run; `onReport` gets the full report when they are closed. A
 * file that cannot be written is a warning on stderr, and `cannot_create` if that is known before the run. A problem
 * with the summary of GitHub's runner is only a warning.
 */
export function openEventReaders(
  io: ProcessIo,
  config: Config,
  onReport?: (report: RunReport) => Promise<void>,
  openLog: OpenLog | undefined = openDebug(config),
) {
  const isGitHub = io.environment['GITHUB_ACTIONS'] === 'true'
  const output = createOutput({ format: config.outputFormat, write: io.print, isObeyed: isObeyed(io.environment) })
  const console = createConsole({
    write: io.warn,
    isTerminal: io.isTerminal && !isGitHub,
    hasColors: hasColors(config.color, io.isTerminal, io.environment),
    isGitHub,
    verbosity: config.quiet ? 'quiet' : config.verbose ? 'verbose' : 'normal',
    columns: io.columns,
    hasTimes: config.timestamps,
  })
  const fold = createReportFold()
  const { summaryFile, lastMessageFile, attestFile, debugFile, cwd, addDirs } = config
  const shared = [cwd, ...addDirs]
  const debug = openLog?.()
  const isOffered = summaryFile !== undefined && summaryFile === io.environment[OFFERED]
  const label = isOffered ? `${OFFERED} ${summaryFile}` : `--summary ${summaryFile}`
  const summary = isOffered ? openOffered(io, summaryFile, shared) : openAsked('--summary', summaryFile, shared)
  const lastMessage = openAsked('--output-last-message', lastMessageFile, shared)
  const attested = openAttested(config, shared)
  const telemetry = openTelemetry(io, config)
  return {
    /** Variables for children: the span of the run, if the `OTEL_*` variables ask for spans. */
    environment: async () => (await telemetry?.opened)?.environment ?? {},
    event(record: TranscriptRecord) {
      telemetry?.event(record)
      if (!isPassing(record)) attested?.add(record)
      fold.add(record)
      console.event(record)
      debug?.event(record)
      output.event(record)
    },
    /** False if a requested file could not be written; stderr names it. */
    async close() {
      console.close()
      const hasDebug = await attempt(io, `--debug-file ${debugFile}`, async () => debug?.close())
      const report = fold.report()
      const hasSummary = await attempt(io, label, async () => {
        if (summary === undefined) return
        const maxBytes = LARGEST_SUMMARY - summary.size()
        const recordPlace = report.result?.transcript_path
        const text = renderSummary(report, { maxBytes, ...(recordPlace && { recordPlace }) })
        if (text === '') throw new Error('it is full: GitHub accepts no summary above 1 MB')
        await summary.append(text)
      })
      const hasMessage = await attempt(io, `--output-last-message ${lastMessageFile}`, async () => {
        await lastMessage?.replace(report.result?.result ?? '')
      })
      const isAttested = await attempt(io, `--attest ${attestFile}`, async () => {
        if (attested === undefined) return
        const { ciJob, createStatement } = await import('../report/formats/attestation.ts')
        const options = { transcript: attested.hash(), ci: ciJob(io.environment) }
        await attested.file.replace(`${JSON.stringify(createStatement(report, options), null, 2)}\n`)
      })
      if (isGitHub && onReport === undefined) annotate(io, report)
      const hasReport = await attempt(io, 'report', async () => onReport?.(report))
      await attempt(io, 'Telemetry', async () => telemetry?.close())
      const isWritten = (hasSummary || isOffered) && hasMessage && isAttested && hasReport && hasDebug
      if (!isWritten && report.result?.exit_code === 0)
        io.warn(
          `│ exit ${EXIT_CODES.io_error.code} (io_error): the run completed, but an output that it was asked for is missing\n`,
        )
      return isWritten
    },
  }
}

/** True where the runner takes lines of stdout for commands: GitHub, Azure (`##vso[`), TeamCity (`##teamcity[`). */
function isObeyed(environment: ProcessIo['environment']): boolean {
  return environment['GITHUB_ACTIONS'] === 'true' || ['TF_BUILD', 'TEAMCITY_VERSION'].some((name) => environment[name])
}

const TELEMETRY = /^OTEL_(?:EXPORTER_OTLP_(?:(?:TRACES|METRICS)_)?ENDPOINT|(?:TRACES|METRICS)_EXPORTER)$/

/** Spans and metrics; `undefined`, with nothing loaded, if no variable asks for them. */
function openTelemetry(io: ProcessIo, { cwd, addDirs, provider }: Config) {
  const { environment } = io
  if (environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined
  if (!Object.keys(environment).some((name) => TELEMETRY.test(name))) return undefined
  const checkout = [cwd, ...addDirs].map(realPath)
  const opened = import('../report/telemetry/openTelemetry.ts').then((module) =>
    module.openTelemetry({ environment, checkout, provider, warn: io.warn }),
  )
  let read: Promise<void> = opened.then(() => undefined)
  return {
    opened,
    event(record: TranscriptRecord) {
      read = read.then(async () => (await opened)?.event(record))
      read.catch(() => undefined)
    },
    async close() {
      await read.finally(async () => (await opened)?.close())
    },
  }
}

/**
 * The whole log in a file, whatever stderr shows. The first fault of writing is told at the end. A new file that stays
 * open: no line makes a temporary file beside it, none of a killed run is lost, and each run of a session adds its log.
 */
export function openDebug({ debugFile: path, cwd, addDirs }: Config): OpenLog | undefined {
  if (path === undefined) return undefined
  const file = opened('--debug-file', path, [cwd, ...addDirs], () => {
    removeOutput(path)
    return openSync(path, 'wx')
  })
  let failure: unknown
  const write = (text: string) => {
    try {
      if (failure === undefined) writeFileSync(file, text)
    } catch (error) {
      failure = error
    }
  }
  return () => {
    const log = createConsole({ write, isTerminal: false, isGitHub: false, verbosity: 'verbose', hasTimes: true })
    return {
      event: log.event,
      close() {
        log.close()
        if (failure !== undefined) throw failure
        fsyncSync(file)
      },
    }
  }
}

type OpenLog = () => { event(record: TranscriptRecord): void; close(): void }

/** On GitHub's runner, the command writes annotations like the action, so that findings appear at their lines. */
function annotate(io: ProcessIo, report: RunReport): void {
  const top = io.environment['GITHUB_WORKSPACE']
  const prefix = top === undefined || report.init === null ? '' : relative(top, report.init.cwd)
  for (const note of annotationsOf(report)) io.warn(annotationCommand(note, prefix.startsWith('..') ? '' : prefix))
}

/** Of GitHub's runner. Nobody asked for this summary, so a run does not fail without it. */
const OFFERED = 'GITHUB_STEP_SUMMARY'

function openOffered(io: ProcessIo, path: string, shared: readonly string[]): OutputFile | undefined {
  try {
    return openAsked(OFFERED, path, shared)
  } catch (error) {
    io.warn(`│ ${messageOf(error)}; the run has no summary there\n`)
    return undefined
  }
}

function openAsked(flag: string, path: string | undefined, shared: readonly string[]): OutputFile | undefined {
  return path === undefined ? undefined : opened(flag, path, shared, () => openOutputFile(path, shared))
}

/**
 * The file of a statement, which is replaced as a whole, and the hash of the transcript as it grows. The statement of an
 * earlier run is removed: a run that is killed leaves none. Of a run that was done before (`--once`) not all records are
 * read again, so its file is hashed.
 */
function openAttested({ attestFile: path, transcript }: Config, shared: readonly string[]) {
  if (path === undefined) return undefined
  const file = opened('--attest', path, shared, () => {
    removeOutput(path)
    return openOutputFile(path, [...shared, realpathSync(dirname(path))])
  })
  const digest = createHash('sha256')
  let isWhole = true
  let next = 1
  return {
    file,
    add(record: TranscriptRecord) {
      isWhole &&= record.seq === next++
      digest.update(`${lineOf(record)}\n`)
    },
    hash() {
      if (isWhole || transcript === undefined) return digest.digest('hex')
      return createHash('sha256').update(readFileSync(transcript)).digest('hex')
    },
  }
}

/** Throws for a file of the run that could not be opened, and opens none. */
export function checkOutputs(config: Config, environment: ProcessIo['environment']): void {
  const { summaryFile, lastMessageFile, attestFile, debugFile, cwd, addDirs } = config
  const asked = {
    '--summary': summaryFile === environment[OFFERED] ? undefined : summaryFile,
    ...{ '--output-last-message': lastMessageFile, '--attest': attestFile, '--debug-file': debugFile },
  }
  for (const [flag, path] of Object.entries(asked)) if (path) refuseImpossible(flag, path, [cwd, ...addDirs])
}

function refuseImpossible(flag: string, path: string, shared: readonly string[]): void {
  const problem = outputProblem(path, shared)
  if (problem !== undefined) throw new RunError('cannot_create', `${flag} ${path}: ${problem}`)
}

function opened<T>(flag: string, path: string, shared: readonly string[], open: () => T): T {
  refuseImpossible(flag, path, shared)
  return orFail('cannot_create', `${flag} ${path}`, open)
}

async function attempt(io: ProcessIo, label: string, write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    io.warn(`│ ${label}: ${messageOf(error)}\n`)
    return false
  }
}
