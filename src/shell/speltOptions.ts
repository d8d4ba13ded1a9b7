import type { CommandLink, Word } from '../contracts/subject.ts'
import { isUnlisted, unlisted } from './isHarmlessOption.ts'
import type { Walk } from './walk.ts'

/** An option that no list names is covered where the rule itself spells it; what else stands there is looked at without it. */
export function speltOptions(why: string, called: string, argv: readonly Word[], walk: Walk): Partial<CommandLink> {
  if (!isUnlisted(why)) return {}
  const isSpeltBy = (rule: readonly string[]): boolean => {
    const spelt = new Set(argv.filter((word, index) => word.kind === 'literal' && isOptionOf(rule[index], word.value)))
    let others = argv
    let problem: string | undefined = why
    while (problem !== undefined) {
      const told = problem
      const found = others.find((word) => spelt.has(word) && word.kind === 'literal' && isAbout(told, word.value))
      if (found === undefined) return false
      others = others.filter((word) => word !== found)
      problem = walk.checks.flagProblem(called, others)?.why
    }
    return true
  }
  return { isSpeltBy }
}

function isOptionOf(text: string | undefined, value: string): boolean {
  return text === value && /^-./.test(value)
}

function isAbout(why: string, option: string): boolean {
  return why.endsWith(unlisted('', option))
}
