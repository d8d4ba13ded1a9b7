import type { CommandLink, Word } from '../contracts/subject.ts'
import { isUnlisted } from './isHarmlessOption.ts'
import type { Walk } from './walk.ts'

/** An option that no list names is covered where the rule itself spells it; what else stands there is looked at without it. */
export function speltOptions(why: string, called: string, argv: readonly Word[], walk: Walk): Partial<CommandLink> {
  if (!isUnlisted(why)) return {}
  const isSpeltBy = (rule: readonly string[]): boolean => {
    const others = argv.filter((word, index) => !(word.kind === 'literal' && isOptionOf(rule[index], word.value)))
    return others.length < argv.length && walk.checks.flagProblem(called, others) === undefined
  }
  return { isSpeltBy }
}

function isOptionOf(text: string | undefined, value: string): boolean {
  return text === value && /^-./.test(value)
}
