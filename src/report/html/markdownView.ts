import { micromark } from 'micromark'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'
import { escapeInvisible } from '../markdown/encodeUntrusted.ts'
import { type Html, html } from './html.ts'

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
