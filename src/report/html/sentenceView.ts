import { splitCode } from '../splitCode.ts'
import { type Html, html } from './html.ts'

/** A sentence whose backticks are set as code. */
export function sentenceView(text: string): Html {
  return html`${splitCode(text).map((part) => (part.isCode ? html`<code>${part.text}</code>` : html`${part.text}`))}`
}
