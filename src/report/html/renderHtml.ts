import { basename } from 'node:path'
import { counted, formatCost, formatDuration, oneLine } from '../../lib/text/words.ts'
import { type Fleet, mergeReports, type NamedReport } from '../fold/mergeReports.ts'
import { deniedCalls } from '../words.ts'
import { type Html, html, sentenceView } from './html.ts'
import { pageScript } from './pageScript.ts'
import { pageStyle } from './pageStyle.ts'
import { pageView } from './pageView.ts'
import { FILTER_STYLE, runView } from './runView.ts'

/** The approximate total of characters in the timelines: what a browser opens quickly. */
const MAX_TEXT = 12_000_000
const LONGEST_TITLE = 60

/**
 * The runs as one self-contained HTML file: no network, no other file. It can be read and filtered without its script.
 * Several runs start with an overview, those that need a person first. Text of a run is always text.
 */
export function renderHtml(reports: readonly NamedReport[]): string {
  const fleet = mergeReports(reports)
  const longest = longestText(fleet)
  const runs = fleet.runs.map((run, index) =>
    runView(run, { id: `run-${index + 1}`, isAlone: fleet.runs.length === 1, longest }),
  )
  const title = titleOf(fleet)
  const body = html`<a class="skip" href="#run-1">Skip to the first run</a>
<main>
<h1>kode-run report</h1>
${fleet.runs.length > 1 ? overview(fleet) : null}
${runs}
<footer data-script hidden>Keys: / search, j and k from call to call, Enter opens.</footer>
</main>`
  return pageView({ title, style: pageStyle + FILTER_STYLE, script: pageScript, body })
}

function titleOf({ runs, states }: Fleet): string {
  const [only] = runs
  if (runs.length === 1 && only !== undefined) {
    const { verdict, init } = only.report
    const task = oneLine(init?.prompt ?? '', LONGEST_TITLE)
    return [verdict.title, task || only.name, ...(init === null ? [] : [basename(init.cwd)])].join(' – ')
  }
  return `${counted(runs.length, 'run')}, ${states.good} good`
}

function overview({ runs, states, turns, calls, denials, costUsd, isCostWhole }: Fleet): Html {
  const rows = runs.map(({ name, report }, index) => {
    const { verdict, costUsd: cost, isCostWhole: isWhole, durationMs } = report
    const denied = deniedCalls(report)
    return html`<tr class="${verdict.state}"><td><a href="#run-${index + 1}">${name}</a></td><td><b class="sign">${verdict.title}</b><br><span class="detail">${sentenceView(verdict.detail)}</span></td><td class="number">${report.turns}</td><td class="number">${report.calls.length}</td><td class="number">${denied}</td><td class="number">${formatCost(cost, isWhole)}</td><td class="number">${formatDuration(durationMs)}</td></tr>`
  })
  const words = [
    `${states.good} good`,
    ...(['unknown', 'failed', 'blocked', 'limited'] as const)
      .filter((state) => states[state] > 0)
      .map((state) => `${states[state]} ${state === 'unknown' ? 'without end' : state}`),
  ]
  const heads = ['Turns', 'Calls', 'Denied', 'Cost', 'Time'].map((head) => html`<th class="number">${head}</th>`)
  return html`<div class="overview"><h2>${counted(runs.length, 'run')}: ${words.join(', ')}</h2><p>${counted(turns, 'turn')}, ${counted(calls, 'call')}, ${denials} denied, cost ${formatCost(costUsd, isCostWhole)}</p><div class="wide"><table><thead><tr><th>Run</th><th>Verdict</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div></div>`
}

function longestText({ runs }: Fleet): number {
  const entries = runs.reduce((sum, { report }) => sum + report.timeline.length, 0)
  return Math.max(300, Math.min(16_000, Math.floor(MAX_TEXT / (2 * Math.max(1, entries)))))
}
