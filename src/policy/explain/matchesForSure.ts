import type { Subject, Word } from '../../contracts/subject.ts'
import { matcherOf } from '../matchers/index.ts'
import type { RuleSet } from '../rules/indexRules.ts'

/** No rule names it. */
const ANY = '\u0001'

/** True if a rule against the subject matches whatever the words turn out to be that are known only at run time. */
export function matchesForSure(rules: RuleSet, text: string, subject: Subject): boolean {
  if (subject.kind !== 'command') return true
  const chain = subject.chain.map((link) => ({ ...link, argv: link.argv.map(known) }))
  return matcherOf('command').findAgainst(rules, { ...subject, chain })?.text === text
}

function known(word: Word): Word {
  if (word.kind === 'literal') return word
  if (word.kind === 'glob') return { kind: 'literal', value: word.value.replace(/[*?]|\[[^\]]*\]/g, ANY) }
  const end = word.kind === 'dynamic' ? (word.suffix ?? '') : ''
  return { kind: 'literal', value: `${word.prefix ?? ''}${ANY}${end}` }
}
