import { inputTokensOf } from '../../contracts/messages.ts'
import { counted, formatCost, formatDuration, formatNumber, oneLine } from '../../lib/text/words.ts'
import { endWords, type FleetRow, type FleetRows, OUTCOMES, outcomeWords } from '../fold/fleetRows.ts'
import { type Html, html, sentenceView } from './html.ts'
import { pageStyle } from './pageStyle.ts'
import { pageView } from './pageView.ts'

/** Filters by outcome, repository and text. Every row can be read without it. */
const fleetScript = `
'use strict';
const find = (name) => document.getElementById(name);
const [outcome, repository, search, count] = ['outcome', 'repository', 'search', 'count'].map(find);
const rows = [...document.querySelectorAll('tbody tr')].map((row) => ({ row, text: row.textContent.toLowerCase(), repository: row.dataset.repository.toLowerCase() }));
const update = () => {
  const [name, words] = [repository.value.toLowerCase(), search.value.toLowerCase()];
  let shown = 0;
  for (const { row, text, repository } of rows) {
    row.hidden = !((outcome.value === '' || row.className === outcome.value) && repository.includes(name) && text.includes(words));
    if (!row.hidden) shown += 1;
  }
  count.textContent = shown === rows.length ? shown + ' runs' : shown + ' of ' + rows.length + ' runs';
};
for (const part of document.querySelectorAll('[data-script]')) part.hidden = false;
document.querySelector('.filters').addEventListener('input', update);
update();
`

const STYLE = `
main { max-width: 100rem; } .fleet td:nth-child(1), .fleet td:nth-child(9) { overflow-wrap: anywhere; min-width: 9rem; }
.fleet td:nth-child(3) { min-width: 16rem; overflow-wrap: anywhere; } .filters[hidden] { display: none; }
`

/** A fleet as one self-contained HTML file: totals, and one row for each run, failures first. */
export function renderFleetPage(fleet: FleetRows): string {
  const { runs, turns, denials, usage, cost_usd, cost_is_lower_bound, outcomes } = fleet
  const facts: readonly (readonly [string, string])[] = [
    ...OUTCOMES.map((outcome) => [outcome, formatNumber(outcomes[outcome])] as const),
    ['cost', formatCost(cost_usd, !cost_is_lower_bound)],
    ['tokens in', formatNumber(inputTokensOf(usage))],
    ['tokens out', formatNumber(usage.output_tokens)],
    ['turns', formatNumber(turns)],
    ['denied calls', formatNumber(denials)],
  ]
  const title = `${counted(runs.length, 'run')}: ${outcomeWords(fleet)}`
  const heads = ['Cost', 'Turns', '+/−', 'Denied', 'Time'].map((name) => html`<th class="number">${name}</th>`)
  const body = html`<main>
<h1>kode-run report</h1>
<div class="verdict"><h2>${title}</h2><dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></div>
<div class="overview fleet">${filters(runs)}<div class="wide"><table><thead><tr><th>Repository</th><th>Outcome</th><th>What</th>${heads}<th>Transcript</th></tr></thead><tbody>${runs.map(rowView)}</tbody></table></div></div>
</main>`
  return pageView({ title, style: pageStyle + STYLE, script: fleetScript, body })
}

function filters(runs: readonly FleetRow[]): Html {
  const outcomes = OUTCOMES.map((outcome) => html`<option>${outcome}</option>`)
  const names = [...new Set(runs.map(({ repository }) => repository))].map((name) => html`<option value="${name}">`)
  return html`<div class="filters" data-script hidden><label>outcome <select id="outcome"><option value="">all</option>${outcomes}</select></label><label>repository <input type="search" id="repository" list="repositories" size="28"></label><datalist id="repositories">${names}</datalist><label>text <input type="search" id="search" size="20"></label><output id="count"></output></div>`
}

function rowView(row: FleetRow): Html {
  const exit = row.exit_code === null ? '' : `exit ${row.exit_code}`
  const numbers = [formatCost(row.cost_usd, !row.cost_is_lower_bound), row.turns]
  const rest = [row.denials, formatDuration(row.duration_ms)]
  const number = (value: string | number): Html => html`<td class="number">${value}</td>`
  return html`<tr class="${row.outcome}" data-repository="${row.repository}"><td>${row.repository}</td><td><b class="sign">${row.outcome}</b><br><span class="detail">${exit}</span></td><td>${endWords(row)}<br><span class="detail">${sentenceView(oneLine(row.detail, 400))}</span></td>${numbers.map(number)}<td class="number"><span class="plus">+${row.added_lines}</span> <span class="minus">−${row.removed_lines}</span></td>${rest.map(number)}<td><code>${row.file}</code></td></tr>
`
}
