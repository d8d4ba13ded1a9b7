import type { Config } from '../config/resolveConfig.ts'
import type { Door } from '../contracts/door.ts'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { TranscriptRecord } from '../contracts/events.ts'
import { openOutputFile } from '../files/openOutputFile.ts'
import { outputProblem } from '../files/outputProblem.ts'
import { createConsole } from '../report/console.ts'
import { createReportFold } from '../report/foldReport.ts'
import { createOutput } from '../report/output.ts'
import type { RunReport } from '../report/runReport.ts'
import { LARGEST_SUMMARY, renderSummary } from '../report/summary.ts'

/** All who read the stream of records; none of them can change the run. */
export type Readers = {
  event(record: TranscriptRecord): void
  /** False where a file that was asked for could not be written; stderr says which. */
  close(): Promise<boolean>
}

/**
 * Opens console, stdout, summary and last message for a run; `onReport` gets the whole when they are closed. A file that
 * cannot be written is a warning on stderr; one that plainly never could be is `cannot_create`, before money is spent.
 */
export function openReaders(door: Door, config: Config, onReport?: (report: RunReport) => void): Readers {
  const isGitHub = door.environment['GITHUB_ACTIONS'] === 'true'
  const output = createOutput({ format: config.outputFormat, write: door.print, isGitHub })
  const console = createConsole({
    write: door.warn,
    isTerminal: door.isTerminal && !isGitHub,
    isGitHub,
    verbosity: config.quiet ? 'quiet' : config.verbose ? 'verbose' : 'normal',
    columns: door.columns,
  })
  const fold = createReportFold()
  const { summaryFile, lastMessageFile, cwd, addDirs } = config
  const open = (flag: string, path: string | undefined) => {
    if (path === undefined) return undefined
    const problem = outputProblem(path, [cwd, ...addDirs])
    if (problem !== undefined) throw new RunError('cannot_create', `${flag} ${path}: ${problem}`)
    return openOutputFile(path, [cwd, ...addDirs])
  }
  const summary = open('--summary', summaryFile)
  const lastMessage = open('--output-last-message', lastMessageFile)
  return {
    event(record) {
      fold.add(record)
      console.event(record)
      output.event(record)
    },
    async close() {
      console.close()
      const report = fold.report()
      const hasSummary = await attempt(door, `--summary ${summaryFile}`, async () => {
        if (summary === undefined) return
        const maxBytes = LARGEST_SUMMARY - summary.size()
        await summary.append(renderSummary(report, { maxBytes, ...placeOf(report.result?.transcript_path) }))
      })
      const hasMessage = await attempt(door, `--output-last-message ${lastMessageFile}`, async () => {
        await lastMessage?.replace(report.result?.result ?? '')
      })
      const hasReport = await attempt(door, 'report', async () => onReport?.(report))
      return hasSummary && hasMessage && hasReport
    },
  }
}

function placeOf(path: string | undefined): { recordPlace?: string } {
  return path === undefined ? {} : { recordPlace: path }
}

async function attempt(door: Door, label: string, write: () => Promise<void>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    door.warn(`${label}: ${messageOf(error)}\n`)
    return false
  }
}
