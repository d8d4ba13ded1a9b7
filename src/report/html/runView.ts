import { formatCost, formatDuration } from '../../lib/text/words.ts'
import type { NamedReport } from '../fold/mergeReports.ts'
import type { RunReport, Verdict } from '../fold/runReport.ts'
import { shortened } from '../markdown/markdownText.ts'
import { deniedCalls, wallWords } from '../words.ts'
import { type Html, html, sentenceView } from './html.ts'
import { sectionViews } from './sectionViews.ts'
import { timelineView } from './timelineView.ts'

/** How one run is shown on the page. */
export type RunViewOptions = {
  readonly id: string
  /** A single run is open; several are folded below their verdicts. */
  readonly isAlone: boolean
  /** The maximum length of a text in the timeline. */
  readonly longest: number
}

const MARKS: Readonly<Record<Verdict['state'], string>> = {
  good: '✓',
  failed: '✗',
  blocked: '⊘',
  limited: '◔',
  unknown: '?',
}

/** Everything about one run: verdict and facts, then changes, denials, checks, findings, costs, and the timeline. */
export function runView({ name, report }: NamedReport, { id, isAlone, longest }: RunViewOptions): Html {
  const timeline = html`<section class="filtered"><h3>Timeline</h3>${filtersView(id, toolsOf(report))}${timelineView(report, longest)}</section>`
  const rest = html`${sectionViews(report)}${timeline}`
  const folded = html`<details class="rest"><summary>What it did</summary>${rest}</details>`
  return html`<article class="run ${report.verdict.state}" id="${id}" aria-labelledby="${id}-title">
${headView(name, report, id)}
${isAlone ? rest : folded}
</article>
`
}

function headView(name: string, report: RunReport, id: string): Html {
  const { verdict, init } = report
  const task = html`<details class="prompt"><summary>Task</summary><p class="said">${shortened(init?.prompt ?? '', 20_000)}</p></details>`
  const facts = factsOf(report).map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)
  const sign = html`<span class="sign" aria-hidden="true">${MARKS[verdict.state]}</span>`
  return html`<header class="verdict"><h2 id="${id}-title">${sign} ${verdict.title} <small>${name}</small></h2><p>${sentenceView(verdict.detail)}</p>${init === null ? null : task}<dl class="facts">${facts}</dl></header>`
}

function factsOf(report: RunReport): (readonly [string, string])[] {
  const { verdict, init, result, turns, calls, denials, costUsd, isCostWhole, durationMs, startedAt } = report
  const denied = deniedCalls({ denials })
  const own: (readonly [string, string])[] = [
    ['Exit code', verdict.exitCode === null ? 'none' : `${verdict.exitCode} ${verdict.exitReason ?? ''}`],
    ['Time', formatDuration(durationMs)],
    ['Cost', formatCost(costUsd, isCostWhole)],
    ['Turns', String(turns)],
    ['Tool calls', `${calls.length}${denied > 0 ? `, ${denied} denied` : ''}`],
    ['Started', startedAt === null ? '–' : `${startedAt.slice(0, 19).replace('T', ' ')} UTC`],
    ['Transcript', result?.transcript_path ?? '–'],
    ['Head', report.head ?? '–'],
  ]
  if (init === null) return own
  const { model, policy, base, resumed_from } = init
  return [
    ...own,
    ...(resumed_from === undefined ? [] : ([['Continues run', resumed_from.run]] as const)),
    ['Model', model],
    ['Policy', policy.files.join(', ') || 'preset read-only'],
    ['In force', wallWords(init)],
    ['Base commit', base === null ? '–' : base.commit.slice(0, 12)],
  ]
}

/** The tools that were called, the most frequent first. */
function toolsOf({ calls }: RunReport): string[] {
  const uses = new Map<string, number>()
  for (const { tool } of calls) uses.set(tool, (uses.get(tool) ?? 0) + 1)
  return [...uses].toSorted(([a, most], [b, more]) => more - most || a.localeCompare(b, 'en')).map(([tool]) => tool)
}

/** The filters of a timeline that work with CSS alone: kinds of entries, by class. */
const KINDS = [
  ['ok', 'done'],
  ['failed', 'failed'],
  ['denied', 'denied'],
  ['message', 'messages'],
  ['note', 'notes'],
] as const

/**
 * The controls of one timeline, placed before it in the same parent. The checkboxes come first, so that CSS can act on
 * what follows. Controls that need the script stay hidden until the script shows them.
 */
function filtersView(id: string, tools: readonly string[]): Html {
  const boxes = KINDS.map(
    ([kind]) => html`<input class="box" type="checkbox" id="${id}-${kind}" data-kind="${kind}" checked>`,
  )
  const labels = KINDS.map(([kind, label]) => html`<label class="kind" for="${id}-${kind}">${label}</label>`)
  const options = tools.map((tool) => html`<option>${tool}</option>`)
  return html`${boxes}<div class="filters"><span>Show</span>${labels}<label data-script hidden>tool <select><option value="">all</option>${options}</select></label><label data-script hidden>search <input type="search" placeholder="/" size="14"></label><button type="button" data-script hidden>Open or close all</button><output data-script hidden></output></div>`
}

/** The rules that make the checkboxes work. */
export const FILTER_STYLE = KINDS.map(
  ([kind]) => `.box[data-kind=${kind}]:not(:checked) ~ .timeline > .${kind} { display: none; }
.box[data-kind=${kind}]:checked ~ .filters .kind[for$=-${kind}]::before { content: '☑ '; }
.box[data-kind=${kind}]:focus-visible ~ .filters .kind[for$=-${kind}] { outline: 2px solid var(--accent); outline-offset: 2px; }`,
).join('\n')
