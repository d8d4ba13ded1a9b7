import type { CheckLeftover } from '../contracts/events.ts'
import { oneLine } from '../lib/text/words.ts'

/** What a check may have used that no rule covered, and what would mend it; '' for nothing. */
export function leftoverWords(leftovers: readonly CheckLeftover[] = []): string {
  if (leftovers.length === 0) return ''
  const what = leftovers.map(({ what, by }) => `${oneLine(what, 100)} by ${shortList(by)}`).join(', ')
  const mend = leftovers.some(({ path }) => path !== undefined) ? '; `checks.prepare` makes ignored files anew' : ''
  return `It may have used what commands left: ${what}${mend}.`
}

function shortList(ids: readonly string[]): string {
  const more = ids.length - SHOWN
  return `${ids.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const SHOWN = 3
