import { escapeInvisible } from '../markdown/encodeUntrusted.ts'
import { splitInlineCode } from '../splitInlineCode.ts'

/** Markup that is safe in a page. Only `html` creates it. */
export type Html = { readonly markup: string }

/** Allowed values in a template: text is escaped, markup is not, null and undefined are empty. */
type Part = string | number | Html | readonly Html[] | null | undefined

/** Markup from a template. Every inserted text is escaped, so no text of a run can become markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: String.raw({ raw: strings }, ...parts.map(markupOf)) }
}

function markupOf(part: Part): string {
  if (part === null || part === undefined) return ''
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escapeHtml(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return escapeInvisible(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')
}

/** A sentence with its backticks shown as code. */
export function sentenceView(text: string): Html {
  return html`${splitInlineCode(text).map((part) => (part.isCode ? html`<code>${part.text}</code>` : html`${part.text}`))}`
}
