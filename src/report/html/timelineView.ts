import type { DecisionReason } from '../../contracts/decision.ts'
import { formatDuration, oneLine } from '../../lib/text/words.ts'
import { callLabel } from '../callLabel.ts'
import type { CallReport, Refusal, RunReport, TimelineEntry } from '../fold/runReport.ts'
import { shortened } from '../markdown/markdownText.ts'
import { denialText, placeWords } from '../words.ts'
import { diffLines } from './diffView.ts'
import { type Html, html, sentenceView } from './html.ts'

/** What happened, in order: messages, calls, notes of the run. No text is longer than requested. */
export function timelineView({ timeline, durationMs }: RunReport, longest: number): Html {
  if (timeline.length === 0) return html`<p class="empty">Nothing happened.</p>`
  const last = timeline.reduce((most, entry) => Math.max(most, endOf(entry)), durationMs)
  return html`<ol class="timeline">${timeline.map((entry) => entryView(entry, last, longest))}</ol>`
}

function endOf(entry: TimelineEntry): number {
  return entry.kind === 'call' ? (entry.call.atMs ?? 0) + (entry.call.durationMs ?? 0) : (entry.atMs ?? 0)
}

function entryView(entry: TimelineEntry, durationMs: number, longest: number): Html {
  if (entry.kind === 'call') return callView(entry.call, durationMs, longest)
  if (entry.kind === 'note') {
    const detail = entry.detail === '' ? null : html` <span class="detail">${oneLine(entry.detail, 500)}</span>`
    const mark = { info: '·', warning: '!', error: '✗' }[entry.level]
    return html`<li class="entry note ${entry.level}"><div class="row"><span class="at">${timeWords(entry.atMs)}</span><span class="mark">${mark}</span><span class="what">${entry.title}${detail}</span></div></li>`
  }
  const text = shortened(entry.text, longest)
  return html`<li class="entry message${inset(entry.parent)}"><div class="row"><span class="at">${timeWords(entry.atMs)}</span><span class="mark">“</span><p class="said">${text}</p></div></li>`
}

function callView(call: CallReport, durationMs: number, longest: number): Html {
  const state = {
    ok: 'ok',
    denied: 'denied',
    error: 'failed',
    invalid: 'failed',
    aborted: 'failed',
    unknown: 'failed',
  }[call.outcome]
  const mark = { ok: '✓', denied: '⊘', failed: '✗' }[state] ?? ''
  const time = call.durationMs === null ? '' : formatDuration(call.durationMs)
  const outcome =
    call.outcome === 'ok'
      ? null
      : html` <b class="badge ${state}">${call.outcome === 'unknown' ? 'no result' : call.outcome}</b>`
  const row = html`<span class="at">${timeWords(call.atMs)}</span><span class="mark">${mark}</span><span class="what"><code>${callLabel(call.tool, call.input, call.path)}</code>${call.isDestructive ? html` <b class="badge">destructive</b>` : null}${outcome}</span>${barView(call, durationMs)}<span class="took">${time}</span>`
  return html`<li class="entry call ${state}${inset(call.parent)}" data-tool="${call.tool}"><details><summary class="row">${row}</summary>${callBody(call, longest)}</details></li>`
}

/** When the call happened in the run, and how long it took. */
function barView({ atMs, durationMs }: CallReport, whole: number): Html | null {
  if (atMs === null || durationMs === null || whole <= 0) return null
  const start = Math.min(99, (atMs / whole) * 100).toFixed(2)
  const width = Math.max(0.5, Math.min(100 - Number(start), (durationMs / whole) * 100)).toFixed(2)
  return html`<span class="bar" aria-hidden="true"><i style="left:${start}%;width:${width}%"></i></span>`
}

function callBody(call: CallReport, longest: number): Html {
  const { canonical, rendering, resultText, blob, decision, denial } = call
  const input = JSON.stringify(call.input, null, 2)
  const why =
    decision === null ? null : html`<p>Decision: <b>${decision.behavior}</b>, ${reasonView(decision.reason)}</p>`
  const result = resultText === '' ? null : html`<pre tabindex="0">${shortened(resultText, longest)}</pre>`
  const whole =
    rendering === null
      ? html`<h5>Result</h5>${result}`
      : html`<details class="whole"><summary>Result as the model saw it</summary>${result}</details>`
  const about = call.title === null ? null : html`<p>${call.title}</p>`
  return html`<div class="body">${about}${denial === null ? why : refusalView(denial)}${blockView('What ran', canonical, longest)}${blockView('Input', input, longest)}${
    rendering === null ? null : html`<h5>Effect</h5>${renderingView(shortened(rendering, longest))}`
  }${result === null ? null : whole}${blob === null ? null : html`<p>Whole result: <code>${blob}</code></p>`}</div>`
}

function blockView(title: string, text: string | null, longest: number): Html | null {
  return text === null ? null : html`<h5>${title}</h5><pre tabindex="0">${shortened(text, longest)}</pre>`
}

/** Why a call was denied: the rule and its place first, then the reason, then the edit that would allow it. */
export function refusalView(refusal: Refusal): Html {
  const { rule, source, line, suggestion } = refusal
  const place = source === null ? null : html` in <code>${placeWords(source, line)}</code>`
  const by = rule === null ? null : html`<dt>Rule</dt><dd><code>${rule}</code>${place}</dd>`
  const fix = suggestion === null ? null : html`<dt>To allow it</dt><dd><code>${suggestion}</code></dd>`
  return html`<dl class="refusal">${by}<dt>Denied</dt><dd>${sentenceView(denialText(refusal))}</dd>${fix}</dl>`
}

function reasonView(reason: DecisionReason): Html {
  if (reason.type === 'rule') {
    const { text, list, file, line } = reason.rule
    return html`${list} rule <code>${text}</code> in <code>${placeWords(file, line)}</code>`
  }
  const detail = 'detail' in reason ? reason.detail : reason.type === 'mode' ? reason.mode : ''
  return html`${reason.type}: ${detail}`
}

/** A tool's Markdown: its fenced blocks, with colored diffs; the rest as text. */
function renderingView(markdown: string): Html {
  const pieces = markdown.split(/^(`{3,})(\w*)\n([\s\S]*?)\n\1$/m)
  const out: Html[] = []
  for (let index = 0; index < pieces.length; index += 4) {
    const text = (pieces[index] ?? '').trim()
    if (text !== '') out.push(html`<p class="said">${text}</p>`)
    const block = pieces[index + 3]
    if (block === undefined) continue
    out.push(pieces[index + 2] === 'diff' ? diffLines(block) : html`<pre tabindex="0">${block}</pre>`)
  }
  return html`${out}`
}

function timeWords(milliseconds: number | null): string {
  if (milliseconds === null) return ''
  const seconds = Math.floor(milliseconds / 1_000)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  return seconds < 3_600 ? parts.join(':') : `${Math.floor(seconds / 3_600)}:${parts.join(':')}`
}

function inset(parent: string | null): string {
  return parent === null ? '' : ' inset'
}
