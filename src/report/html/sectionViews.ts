import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'
import type { FindingEvent } from '../../contracts/events.ts'
import { visibleName } from '../../lib/text/visibleName.ts'
import { counted, formatCost, formatDuration, formatNumber, oneLine } from '../../lib/text/words.ts'
import { callLabel } from '../callLabel.ts'
import { authorsOf, nameOfCall } from '../fold/authorsOf.ts'
import type { AuditedReport, DenialReport, RunReport } from '../fold/runReport.ts'
import { escapeInvisible } from '../markdown/encodeUntrusted.ts'
import { shortened } from '../markdown/markdownText.ts'
import { groupRefused, originOf } from '../suggestionYaml.ts'
import { checkWords, deniedCalls, leftoverWords, refWords, timesWords, warningWords } from '../words.ts'
import { diffView } from './diffView.ts'
import { type Html, html, sentenceView } from './html.ts'
import { refusalView } from './timelineView.ts'

/** The sections between a run's verdict and its timeline; empty sections are left out. */
export function sectionViews(report: RunReport): Html {
  const { denials, audited, checks, findings } = report
  return html`${answerView(report)}${changesView(report)}${refsView(report)}${recordedView(report)}
${listSection(`Denied (${deniedCalls({ denials })})`, denials.map(denialView))}
${listSection('Not allowed by any rule, run by --audit', audited.map(auditedView))}
${listSection('What the policy would need', suggestionViews(report))}
${listSection(
  'Checks',
  checks.map((check) => checkView(check, report)),
)}
${listSection(counted(findings.length, 'finding'), findings.map(findingView))}
${listSection(
  'Warnings',
  warningWords(report).map((warning) => html`<li>${sentenceView(warning)}</li>`),
)}
${costView(report)}`
}

const SHOWN_ITEMS = 20
const MAX_CHANGES = 1_000

/** A titled list; after the first items, the rest is folded. */
function listSection(title: string, items: readonly Html[]): Html | null {
  if (items.length === 0) return null
  const rest = items.slice(SHOWN_ITEMS)
  const more = html`<details><summary>${rest.length} more</summary><ul class="list">${rest}</ul></details>`
  const list = html`<ul class="list">${items.slice(0, SHOWN_ITEMS)}</ul>`
  return html`<section><h3>${title}</h3>${list}${rest.length === 0 ? null : more}</section>`
}

function answerView({ result }: RunReport): Html | null {
  const answer = result?.result.trim() ?? ''
  if (answer === '') return null
  return html`<section><h3>Answer</h3><blockquote>${markdownView(shortened(answer, 100_000))}</blockquote></section>`
}

function changesView({ changes, patch, result, calls }: RunReport): Html | null {
  const note = result?.patch_note ? html`<p>${sentenceView(result.patch_note)}</p>` : null
  if (changes.length === 0 && note === null) return null
  const rows = changes.slice(0, MAX_CHANGES).map((change) => {
    const { path, status, added, removed } = change
    const by = authorsOf(change, calls).map((author) => html`<code>${author}</code> `)
    return html`<tr><td><code>${visibleName(path)}</code></td><td>${status}</td><td class="number plus">+${added}</td><td class="number minus">−${removed}</td><td>${by}</td></tr>`
  })
  const head = html`<th>File</th><th>Change</th><th class="number">Added</th><th class="number">Removed</th><th>By</th>`
  const diff = patch ? diffView(shortened(patch, 1_000_000)) : null
  return html`<section><h3>What changed</h3>${rows.length === 0 ? null : tableView(head, rows)}${moreThanShown(changes, 'more file')}${note}${diff}</section>`
}

function moreThanShown(list: readonly unknown[], what: string): Html | null {
  const left = list.length - MAX_CHANGES
  return left > 0 ? html`<p>… and ${counted(left, what)}</p>` : null
}

function refsView({ result }: RunReport): Html | null {
  const refs = result?.refs ?? []
  if (refs.length === 0) return null
  const rows = refs.slice(0, MAX_CHANGES).map((ref) => {
    const files = ref.files.slice(0, SHOWN_ITEMS).map((path) => html`<code>${visibleName(path)}</code> `)
    const left = ref.files.length - SHOWN_ITEMS
    return html`<tr><td><code>${visibleName(ref.name)}</code></td><td>${refWords(ref)}</td><td class="number">${ref.commits ?? '?'}</td><td>${files}${left > 0 ? `and ${left} more` : null}</td></tr>`
  })
  const head = html`<th>Name</th><th>Change</th><th class="number">New commits</th><th>Their files</th>`
  return html`<section><h3>Commits, branches and tags</h3>${tableView(head, rows)}${moreThanShown(refs, 'more name')}</section>`
}

function recordedView({ recorded, calls }: RunReport): Html | null {
  if (recorded === null || recorded.files.length + recorded.open.length === 0) return null
  const authors = (by: readonly string[]) => authorsOf({ by }, calls).map((author) => html`<code>${author}</code> `)
  const rows = recorded.files.map(
    ({ path, by }) => html`<tr><td><code>${visibleName(path)}</code></td><td>${authors(by)}</td></tr>`,
  )
  const table = rows.length === 0 ? null : tableView(html`<th>File</th><th>By</th>`, rows)
  const { open } = recorded
  const note = open.length === 0 ? null : html`<p>Not known: what ${authors(open)}changed before the end.</p>`
  return html`<section><h3>What changed, as far as it was recorded</h3>${table}${note}</section>`
}

function denialView({ tool, input, count, ...refusal }: DenialReport): Html {
  return html`<li><p><code>${callLabel(tool, input)}</code>${timesWords(count)}</p>${refusalView(refusal)}</li>`
}

function suggestionViews({ suggested }: RunReport): readonly Html[] {
  if (suggested === null) return []
  const rules = suggested.rules.map((each) => html`<li><p><code>${each.rule}</code> for ${originOf(each)}</p></li>`)
  return [
    ...rules,
    ...groupRefused(suggested.refused).map(
      ({ call, why, more }) =>
        html`<li><p>no rule is offered for <code>${call}</code>${more}: ${sentenceView(why)}</p></li>`,
    ),
  ]
}

function auditedView({ tool, input, path, count, suggestion }: AuditedReport): Html {
  const fix =
    suggestion === null ? null : html`<dl class="refusal"><dt>To allow it</dt><dd><code>${suggestion}</code></dd></dl>`
  return html`<li><p><code>${callLabel(tool, input, path)}</code>${timesWords(count)}</p>${fix}</li>`
}

function checkView(check: RunReport['checks'][number], { calls }: RunReport): Html {
  const { command, ok, output, leftovers } = check
  const shown = ok || output === '' ? null : html`<pre tabindex="0">${shortened(output, 20_000)}</pre>`
  const words = leftoverWords(leftovers, (id) => nameOfCall(id, calls))
  const left = ok && words !== '' ? html`<p>${sentenceView(words)}</p>` : null
  return html`<li class="${ok ? 'ok' : 'error'}"><p>${ok ? '✓' : '✗'} <code>${oneLine(command, 500)}</code> ${checkWords(check)}</p>${left}${shown}</li>`
}

function findingView({ severity, title, path, line, message }: FindingEvent): Html {
  return html`<li><p><b class="badge ${severity}">${severity}</b> <b>${title}</b> <code>${visibleName(path)}:${line}</code></p><p class="said">${sentenceView(message)}</p></li>`
}

function costView({ modelUsage, retries }: RunReport): Html | null {
  const rows = Object.entries(modelUsage).map(([model, usage]) => {
    const { requests, input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage
    const counts = [requests, input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens]
    const cells = counts.map((count) => html`<td class="number">${formatNumber(count)}</td>`)
    return html`<tr><td><code>${model}</code></td>${cells}<td class="number">${formatCost(usage.cost_usd)}</td></tr>`
  })
  if (rows.length === 0) return null
  const heads = ['Requests', 'Input', 'From cache', 'To cache', 'Output', 'Cost']
  const head = html`<th>Model</th>${heads.map((name) => html`<th class="number">${name}</th>`)}`
  const waits = html`<p>API requests sent again: ${retries.count}, after ${formatDuration(retries.waitedMs)} of waiting.</p>`
  return html`<section><h3>Cost</h3>${tableView(head, rows)}${retries.count === 0 ? null : waits}</section>`
}

function tableView(head: Html, rows: readonly Html[]): Html {
  return html`<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** Longer texts are shown as they are: some Markdown takes time that grows with the square of its length. */
const LONGEST = 20_000

/** What the model must not make: markup of its own, links and images. Their source is shown. */
const disable = {
  null: ['htmlFlow', 'htmlText', 'autolink', 'labelStartImage', 'labelStartLink', 'labelEnd', 'definition'],
}

/** The model's Markdown as text formatting: headings, lists, tables, code, emphasis. Links stay text. */
export function markdownView(text: string): Html {
  if (text.length > LONGEST) return html`<div class="said">${text}</div>`
  const markup = micromark(escapeInvisible(text), {
    extensions: [gfmTable(), { disable }],
    htmlExtensions: [gfmTableHtml()],
  })
  return html`<div class="markdown">${{ markup }}</div>`
}
