import type { NamedReport } from '../fold/mergeReports.ts'
import type { RunReport, Verdict } from '../fold/runReport.ts'
import { shortened } from '../markdown/markdownText.ts'
import { describeDuration, formatCost, networkWords } from '../words.ts'
import { filtersView } from './filtersView.ts'
import { type Html, html } from './html.ts'
import { sectionViews } from './sectionViews.ts'
import { sentenceView } from './sentenceView.ts'
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
  const denied = denials.reduce((sum, { count }) => sum + count, 0)
  const own: (readonly [string, string])[] = [
    ['Exit code', verdict.exitCode === null ? 'none' : `${verdict.exitCode} ${verdict.exitReason ?? ''}`],
    ['Time', describeDuration(durationMs)],
    ['Cost', formatCost(costUsd, isCostWhole)],
    ['Turns', String(turns)],
    ['Tool calls', `${calls.length}${denied > 0 ? `, ${denied} denied` : ''}`],
    ['Started', startedAt === null ? '–' : `${startedAt.slice(0, 19).replace('T', ' ')} UTC`],
    ['Transcript', result?.transcript_path ?? '–'],
    ['Head', report.head ?? '–'],
  ]
  if (init === null) return own
  const { model, sandbox, effects, network, policy, base } = init
  return [
    ...own,
    ['Model', model],
    ['Policy', policy.files.join(', ') || 'preset read-only'],
    ['Sandbox', `${sandbox.state}, ${networkWords(network)}`],
    ['Changes', effects?.state ?? '–'],
    ['Base commit', base === null ? '–' : base.commit.slice(0, 12)],
  ]
}

/** The tools that were called, the most frequent first. */
function toolsOf({ calls }: RunReport): string[] {
  const uses = new Map<string, number>()
  for (const { tool } of calls) uses.set(tool, (uses.get(tool) ?? 0) + 1)
  return [...uses].toSorted(([a, most], [b, more]) => more - most || a.localeCompare(b, 'en')).map(([tool]) => tool)
}
