import { inputTokensOf } from '../../contracts/messages.ts'
import { counted, formatCost, formatDuration, formatNumber, oneLine } from '../../lib/text/words.ts'
import { endWords, type FleetRow, type FleetRows, OUTCOMES, outcomeWords } from '../fold/fleetRows.ts'
import { code, sentence } from './markdownText.ts'
import { plain, type SummarySection, tableHead, tableRow } from './SummarySection.ts'
import { fitSections } from './summary.ts'

const COLUMNS = ['Repository', 'Exit:', 'What', 'Cost:', 'Turns:', '+/-:', 'Denied:', 'Time:', 'Transcript']

/** A fleet as Markdown for a job summary: the totals, then a table for each outcome. Good runs are folded. */
export function renderFleetTable(fleet: FleetRows): string {
  const { runs, turns, denials, usage, cost_usd, cost_is_lower_bound } = fleet
  const tokens = `${formatNumber(inputTokensOf(usage))} tokens in, ${formatNumber(usage.output_tokens)} out`
  const facts = [formatCost(cost_usd, !cost_is_lower_bound), tokens, counted(turns, 'turn'), `${denials} denied`]
  const head = `## ${counted(runs.length, 'run')}: ${outcomeWords(fleet)}\n\n${facts.join(' · ')}\n\n`
  const tables = OUTCOMES.map((outcome) => tableOf(outcome, runs))
  return fitSections([plain(head), ...tables.flat()], { recordPlace: 'the report as HTML or JSON' })
}

function tableOf(outcome: FleetRow['outcome'], runs: readonly FleetRow[]): SummarySection[] {
  const rows = runs.filter((run) => run.outcome === outcome).map(rowView)
  if (rows.length === 0) return []
  const open = outcome === 'good' ? '' : ' open'
  const head = `<details${open}><summary><b>${rows.length} ${outcome}</b></summary>\n\n${tableHead(COLUMNS)}`
  return [{ head, rows, foot: '\n</details>\n\n', isFolded: true }]
}

function rowView(row: FleetRow): string {
  const what = [endWords(row), row.detail].filter(Boolean).join(': ')
  return tableRow(
    code(oneLine(row.repository, 120)),
    row.exit_code ?? '–',
    sentence(oneLine(what, 200)),
    formatCost(row.cost_usd, !row.cost_is_lower_bound),
    row.turns,
    `+${row.added_lines} −${row.removed_lines}`,
    row.denials,
    formatDuration(row.duration_ms),
    code(oneLine(row.file, 120)),
  )
}
