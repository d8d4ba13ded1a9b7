import { splitInlineCode } from '../splitInlineCode.ts'
import { type Html, html } from './html.ts'

/** A sentence with its backticks shown as code. */
export function sentenceView(text: string): Html {
  return html`${splitInlineCode(text).map((part) => (part.isCode ? html`<code>${part.text}</code>` : html`${part.text}`))}`
}
