import { writeOutInvisible } from '../encodeUntrusted.ts'

/** Markup that is safe to put into a page. Only `html` makes it. */
export type Html = { readonly markup: string }

/** What may stand in a template: text is escaped, markup is not, nothing is nothing. */
type Part = string | number | Html | readonly Html[] | null | undefined

/** Markup from a template; every text put into it is escaped, so no text of a run can become markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: String.raw({ raw: strings }, ...parts.map(markupOf)) }
}

/** Markup of several pieces, one after another. */
function joinHtml(pieces: readonly Html[]): Html {
  return { markup: pieces.map(({ markup }) => markup).join('') }
}

function markupOf(part: Part): string {
  if (part === null || part === undefined) return ''
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return escapeHtml(part)
  return 'markup' in part ? part.markup : joinHtml(part).markup
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return writeOutInvisible(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')
}
