import type { HereDoc } from 'unbash'

/** The text of a here-document as the command gets it; `<<-` takes the tabs away. */
export function hereDocumentText({ operator, body }: HereDoc): string {
  return operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text
}
