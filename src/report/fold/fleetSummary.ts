import { counted, formatCost, formatDuration, oneLine } from '../../lib/text/words.ts'
import { code, literal, sentence } from '../markdown/markdownText.ts'
import { plain, type SummarySection, tableHead, tableRow } from '../markdown/SummarySection.ts'
import { fitSections, renderSummary, type SummaryOptions } from '../markdown/summary.ts'
import { urgentSections, VERDICT_MARKS } from '../markdown/summarySections.ts'
import { deniedCalls } from '../words.ts'
import { type Fleet, mergeReports, type NamedReport } from './mergeReports.ts'

/** Several runs as Markdown: a row each, those that need a person first, then the reasons. One is its own summary. */
export function renderFleetSummary(reports: readonly NamedReport[], options: SummaryOptions = {}): string {
  const [only, ...others] = reports
  if (only !== undefined && others.length === 0) return renderSummary(only.report, options)
  const fleet = mergeReports(reports)
  const urgent = fleet.runs.filter(({ report }) => report.verdict.state !== 'good')
  return fitSections([runsSection(fleet), ...urgent.flatMap(runSections)], options)
}

const COLUMNS = ['', 'Run', 'Verdict', 'Calls:', 'Denied:', 'Cost:', 'Time:']

function runsSection({ runs, states, turns, calls, denials, costUsd, isCostWhole }: Fleet): SummarySection {
  const cost = `cost ${formatCost(costUsd, isCostWhole)}`
  const facts = [counted(turns, 'turn'), counted(calls, 'tool call'), `${denials} denied`, cost].join(' · ')
  return {
    head: `## ${counted(runs.length, 'run')}, ${states.good} good\n\n${facts}\n\n${tableHead(COLUMNS)}`,
    rows: runs.map(runRow),
    foot: '\n',
  }
}

function runRow({ name, report }: NamedReport): string {
  const { verdict, calls, denials, costUsd, isCostWhole, durationMs } = report
  const denied = deniedCalls({ denials })
  const words = `**${literal(verdict.title)}**<br>${sentence(oneLine(verdict.detail, 300))}`
  const numbers = [calls.length, denied, formatCost(costUsd, isCostWhole), formatDuration(durationMs)]
  return tableRow(VERDICT_MARKS[verdict.state], code(oneLine(name, 200)), words, ...numbers)
}

function runSections({ name, report }: NamedReport): SummarySection[] {
  const sections = urgentSections(report)
  const head = `---\n\n## ${VERDICT_MARKS[report.verdict.state]} ${code(oneLine(name, 200))}: ${literal(report.verdict.title)}\n\n`
  return sections.length === 0 ? [] : [plain(head), ...sections]
}
