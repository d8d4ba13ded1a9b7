import { existsSync, lstatSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { messageOf, RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { someOf } from '../lib/text/words.ts'
import { type FleetRow, type FleetRows, rowOf, sumRows } from '../report/fold/fleetRows.ts'
import { loadReport } from '../report/fold/loadReport.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { verifyTranscript } from '../report/transcript/verifyTranscript.ts'
import { findTranscript, type NamedTranscript } from './findTranscript.ts'
import type { CommandLine } from './runCommandLine.ts'

const FORMATS: Readonly<Record<string, () => Promise<(fleet: FleetRows) => string>>> = {
  markdown: async () => (await import('../report/markdown/fleetTable.ts')).renderFleetTable,
  html: async () => (await import('../report/html/fleetPage.ts')).renderFleetPage,
  json: async () => (fleet) => `${JSON.stringify({ v: 1, ...fleet }, null, 2)}\n`,
}

/** What a run proposed, beside its transcript: `outputsFileName`. No transcript has such a name by itself. */
const PROPOSALS = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-outputs\.jsonl$/

const MISSING = 'There is no transcript.'

/**
 * `kode-run report --merge FOLDER|FILE…`: one row for each transcript, failures first. One that is damaged, has no end,
 * or is named and not there is a row, too. What is not read is named on stderr.
 */
export async function mergeTranscripts(io: ProcessIo, line: CommandLine): Promise<string> {
  const render = await FORMATS[(line.flags['format'] as string | undefined) ?? 'markdown']?.()
  if (render === undefined) throw new RunError('usage', '--merge: write --format markdown, html or json.')
  const warn = (text: string) => io.warn(escapeWorkflowCommands(`${text}\n`))
  const rows: FleetRow[] = []
  const paths = new Set<string>()
  const runs = new Map<string, string>()
  for await (const transcript of transcriptsIn(io, line, warn)) {
    const { path, shown: file } = transcript
    if (paths.has(path)) continue
    paths.add(path)
    const { row, head } = await readRow(transcript)
    const twin = head === null ? undefined : runs.get(head)
    if (twin !== undefined) {
      warn(`${file}: a copy of ${twin}; it is counted once.`)
      continue
    }
    if (head !== null) runs.set(head, file)
    rows.push(row)
  }
  if (rows.every(({ detail }) => detail === MISSING))
    throw new RunError('bad_input', '--merge: there are no transcripts (*.jsonl).')
  return render(sumRows(rows))
}

async function readRow({ path, shown: file }: NamedTranscript): Promise<{ row: FleetRow; head: string | null }> {
  const unread = (problem: string) => ({ row: rowOf({ file, report: null, problem }), head: null })
  if (!existsSync(path)) return unread(MISSING)
  try {
    const { report } = await loadReport(path)
    if (report.init === null && report.result === null) return unread('It contains no record of a run.')
    const { isIntact, isUnfinished, problems } = await verifyTranscript(path)
    const [first] = problems
    if (isIntact || first === undefined) return { row: rowOf({ file, report, problem: null }), head: report.head }
    const problem = isUnfinished ? null : `Not intact from record ${first.seq} on: ${first.reason}.`
    return { row: rowOf({ file, report, problem }), head: null }
  } catch (error) {
    return unread(`It cannot be read: ${messageOf(error)}.`)
  }
}

async function* transcriptsIn(
  io: ProcessIo,
  line: CommandLine,
  warn: (text: string) => void,
): AsyncGenerator<NamedTranscript> {
  for (const name of line.positionals) {
    const path = resolve(io.cwd, name)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      const unread: string[] = []
      yield* transcriptsBelow(path, name, { warn, unread })
      if (unread.length > 0) warn(`${name}: not read, as no transcripts: ${someOf(unread, MOST_NAMED)}`)
    } else {
      const transcript = await findTranscript(io, line, name)
      if (!name.endsWith('.jsonl') && !existsSync(transcript.path))
        throw new RunError('bad_input', `--merge: there is no ${name}.`)
      yield transcript
    }
  }
}

const MOST_NAMED = 5

/** The transcripts of a folder by name; links are not followed. `blobs` and what runs propose belong to transcripts. */
async function* transcriptsBelow(
  folder: string,
  shown: string,
  told: { warn(text: string): void; readonly unread: string[] },
): AsyncGenerator<NamedTranscript> {
  const names = await readdir(folder).catch((error: unknown) => {
    told.warn(`${shown}: not read: ${messageOf(error)}`)
    return []
  })
  for (const name of names.toSorted()) {
    const [path, named] = [join(folder, name), join(shown, name)]
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (name === '.git') continue
    if (entry?.isDirectory() && basename(path) !== 'blobs') yield* transcriptsBelow(path, named, told)
    else if (entry?.isFile() && PROPOSALS.test(name)) continue
    else if (entry?.isFile() && name.endsWith('.jsonl')) yield { path, shown: named }
    else if (!entry?.isDirectory()) told.unread.push(named)
  }
}
