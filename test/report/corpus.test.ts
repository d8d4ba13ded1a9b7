import { expect, it } from 'vitest'
import { EXIT_CODES, type ExitReason } from '../../src/contracts/errors.ts'
import { eventSchema } from '../../src/contracts/events/eventSchema.ts'
import type { RunEvent, TranscriptRecord } from '../../src/contracts/events.ts'
import { type ConsoleOptions, createConsole } from '../../src/report/console/console.ts'
import { annotationsOf } from '../../src/report/fold/annotationsOf.ts'
import { createAskedCalls } from '../../src/report/fold/askedCalls.ts'
import { rowOf, sumRows } from '../../src/report/fold/fleetRows.ts'
import { renderFleetSummary } from '../../src/report/fold/fleetSummary.ts'
import { foldReport } from '../../src/report/fold/foldReport.ts'
import type { RunReport } from '../../src/report/fold/runReport.ts'
import { createTotals } from '../../src/report/fold/totals.ts'
import { annotationCommand } from '../../src/report/formats/annotationCommand.ts'
import { createStatement } from '../../src/report/formats/attestation.ts'
import { renderCodeQuality } from '../../src/report/formats/codeQuality.ts'
import { renderJunit } from '../../src/report/formats/junit.ts'
import { renderReportJson } from '../../src/report/formats/reportJson.ts'
import { renderSarif } from '../../src/report/formats/sarif.ts'
import { renderFleetPage } from '../../src/report/html/fleetPage.ts'
import { renderHtml } from '../../src/report/html/renderHtml.ts'
import { renderFleetTable } from '../../src/report/markdown/fleetTable.ts'
import { renderSummary } from '../../src/report/markdown/summary.ts'
import { createSpans } from '../../src/report/telemetry/createSpans.ts'
import { endOf, INIT } from '../helpers/runs/events.ts'
import { recordSpans } from '../helpers/runs/recordSpans.ts'
import { foldRuns, RUNS, reportOf, WRITTEN } from '../helpers/runs/reportCorpus.ts'

// One corpus, all formats: `npx vitest run test/report/corpus.test.ts -u` writes them. Read a change as its reader: a person
// beside a failed job, or the program that gets the file.

/** The same of each run, below its name. */
function each<Of>(all: readonly Of[], show: (run: Of) => string, nameOf: (run: Of) => string): string {
  return all.map((run) => `${nameOf(run)}\n\n${show(run)}\n`).join('\n')
}

function log(events: readonly RunEvent[], options: Partial<ConsoleOptions>): string {
  let out = ''
  const write = (text: string): void => {
    out += text
  }
  const console = createConsole({ write, isTerminal: false, isGitHub: false, verbosity: 'normal', ...options })
  for (const event of events) console.event(event)
  console.close()
  return out
    .replace(/(?<=::)[0-9a-f]{32}(?=::|$)/gm, 'TOKEN')
    .replaceAll('\r\u001b[K', '⌫\n')
    .replaceAll('\u001b', '␛')
}

/** A line for each element. The style and the script are the same on every page, and a browser's tests play them. */
function lines(page: string): string {
  return page
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '<$1></$1>')
    .replace(/sha256-[^']+/g, 'sha256-…')
    .replace(/></g, '>\n<')
}

function fleet() {
  const rows = foldRuns().map(({ name, report }) => rowOf({ file: name, report, problem: null }))
  const { report } = reportOf('fixed')
  const files = [
    { file: 'gone.jsonl', report: null, problem: 'There is no transcript.' },
    { file: 'cut.jsonl', report, problem: 'line 7: the hash of the line before differs' },
    { file: 'shop.jsonl', report, problem: null },
    { file: 'shop.attempt-1.jsonl', report: reportOf('audited').report, problem: null },
  ]
  return sumRows([...rows, ...files.map(rowOf)])
}

/** What stands twice in a report stands here once: calls in the timeline by id, without the first and the last record. */
function shortReport(): string {
  const known = (key: string, value: unknown) => {
    if (key === 'init' || key === 'result') return value === null ? null : 'as recorded'
    return key === 'call' ? (value as { id: string }).id : value
  }
  return JSON.stringify(JSON.parse(renderReportJson(foldRuns())), known, 1)
}

function totals(events: readonly RunEvent[]): string {
  const { add, totals } = createTotals((model) => (model.includes('sonnet') ? 0.1 : null), {
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
  })
  for (const event of events) add(event)
  return short(JSON.stringify(totals(), null, 1))
}

const asked = (events: readonly RunEvent[]): string => {
  const calls = createAskedCalls()
  for (const event of events) calls.add(event)
  return calls
    .calls()
    .map((call) => JSON.stringify(call))
    .join('\n')
}

const spans = (events: readonly TranscriptRecord[], hasContent: boolean): string => {
  const { means, told } = recordSpans()
  const environment = { TRACEPARENT: `00-${'c'.repeat(32)}-${'b'.repeat(16)}-01`, TRACESTATE: 'vendor=1' }
  const { event, environment: passed } = createSpans({ ...means, hasContent, environment, provider: 'bedrock' })
  events.forEach(event)
  return [...told(), `children get ${JSON.stringify(passed)}`].join('\n')
}

/** An object without others in it is a line. */
const short = (json: string): string => json.replace(/[{[][^{}[\]]*[}\]]/g, (part) => part.replace(/\n\s*/g, ' '))

const reports = (show: (report: RunReport) => string, title: (name: string) => string) =>
  each(
    foldRuns(),
    ({ report }) => show(report),
    ({ name }) => title(name),
  )

const annotations = (report: RunReport) => {
  const notes = annotationsOf(report).map((note) => annotationCommand(note, 'part'))
  return notes.join('')
}

const statementOf = ({ report }: { readonly report: RunReport }) =>
  createStatement(report, { transcript: 'e'.repeat(64), ci: 'https://ci/1' })

const named = ([name]: readonly [string, unknown]): string => `=== ${name} ===`
const logs = (options: Partial<ConsoleOptions>) => () => each(RUNS, ([, events]) => log(events, options), named)

it.each<[string, () => string]>([
  ['summary.md', () => reports(renderSummary, (name) => `<!-- ${name} -->`)],
  ['console-normal.txt', logs({})],
  ['console-verbose.txt', logs({ verbosity: 'verbose' })],
  ['console-quiet.txt', logs({ verbosity: 'quiet' })],
  ['console-github.txt', logs({ isGitHub: true })],
  ['console-terminal.txt', logs({ isTerminal: true, hasColors: true, columns: 60 })],
  ['report.json', () => short(shortReport())],
  ['totals.txt', () => each(RUNS, ([, events]) => totals(events), named)],
  ['report.html', () => lines(renderHtml(foldRuns()))],
  ['report-of-one.html', () => lines(renderHtml(foldRuns().slice(-1)))],
  ['several-runs.md', () => renderFleetSummary(foldRuns())],
  ['fleet.md', () => renderFleetTable(fleet())],
  ['fleet.html', () => lines(renderFleetPage(fleet()))],
  ['junit.xml', () => renderJunit(foldRuns())],
  ['findings.sarif', () => renderSarif(foldRuns(), '0.1.0')],
  ['code-quality.json', () => renderCodeQuality(foldRuns())],
  ['annotations.txt', () => reports(annotations, (name) => name)],
  ['statements.json', () => JSON.stringify(foldRuns().map(statementOf), null, 1)],
  ['asked-calls.txt', () => each(RUNS, ([, events]) => asked(events), named)],
  ['spans.txt', () => each(RUNS, ([name, events]) => spans(events, name === 'fixed'), named)],
  ['endings.txt', () => each(Object.keys(EXIT_CODES) as ExitReason[], shownEnding, (reason) => `=== ${reason} ===`)],
])('shows each run in %s as it did', async (file, show) => {
  await expect(show()).toMatchFileSnapshot(`golden/${file}`)
})

/** The last lines of a log, the line of a page of several runs, and the annotation. */
function shownEnding(reason: ExitReason): string {
  const { state, title } = foldReport([endOf([], { exit_reason: reason })]).verdict
  const init = { ...INIT, limits: { ...INIT.limits, max_tool_calls: 500 } }
  const end = { ...endOf([INIT], { exit_reason: reason, detail: '' }), total_cost_usd: 5 }
  return `${state}: ${title}; ${end.subtype}\n${log([init, end], {}).split('\n').slice(1).join('\n')}`
}

it('has runs as they are recorded', () => {
  for (const [, events] of WRITTEN) for (const event of events) expect(eventSchema.parse(event)).toEqual(event)
})
