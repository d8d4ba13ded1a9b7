import { type Html, html } from './html.ts'

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
export function filtersView(id: string, tools: readonly string[]): Html {
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
