import type { BraceGroup, CompoundList, For, If, Subshell, While } from 'unbash'
import { changesState } from './changesState.ts'
import { expandBraces } from './expandBraces.ts'
import { escapeGlob } from './fileOperand.ts'
import { type ReadWord, readWord } from './readWord.ts'
import { UNCLEAR } from './speltWords.ts'
import { addOpaque, atOnce, inSubshell, type KnownVariable, moveTo, type Walk } from './walk.ts'

type VisitList = (list: CompoundList, walk: Walk) => string

/** Judges a group, a condition or a loop; its canonical text. */
export function walkCompound(node: Subshell | BraceGroup | If | While | For, walk: Walk, visit: VisitList): string {
  switch (node.type) {
    case 'Subshell':
      return `(\n${visit(node.body, inSubshell(walk))}\n)`
    case 'BraceGroup':
      return `{\n${visit(node.body, walk)}\n}`
    case 'If':
      return walkIf(node, walk, visit)
    case 'While':
      return atOnce(walk, () => walkWhile(node, walk, visit))
    case 'For':
      return atOnce(walk, () => walkFor(node, walk, visit))
  }
}

/** After a `cd` in any branch the directory is unknown, in what follows and in the other branches. */
function walkIf(node: If, walk: Walk, visit: VisitList): string {
  const before = walk.moves
  const branch = (list: CompoundList): string => {
    const text = visit(list, walk)
    if (walk.moves !== before) walk.cwd = undefined
    return text
  }
  let text = `if\n${branch(node.clause)}\nthen\n${branch(node.then)}\n`
  for (const elif of node.elif) text += `elif\n${branch(elif.clause)}\nthen\n${branch(elif.then)}\n`
  if (node.else) text += `else\n${branch(node.else)}\n`
  return `${text}fi`
}

function walkWhile(node: While, walk: Walk, visit: VisitList): string {
  if (changesState(node.clause, 'place') || changesState(node.body, 'place')) moveTo(walk, undefined)
  return `${node.kind}\n${visit(node.clause, walk)}\ndo\n${visit(node.body, walk)}\ndone`
}

/** Names in the environment that programs read in lower case. */
const LOOP_NAME = /^(?!.*_proxy$|npm_|histchars$|auto_resume$)[a-z_][a-z0-9_]*$/

function walkFor(node: For, walk: Walk, visit: VisitList): string {
  const name = node.name.text
  if (!LOOP_NAME.test(name)) return addOpaque(walk, 'a loop variable that is not a lower-case name', node)
  if (!node.wordlist) return addOpaque(walk, 'a loop over "$@"', node)
  const words: ReadWord[] = []
  for (const [index, each] of node.wordlist.entries()) {
    if (index > 0 && node.wordlist[index - 1]?.end === each.pos) {
      return addOpaque(walk, 'a process substitution that is only a part of its word', node)
    }
    const expanded = expandBraces(each.text)
    if (expanded) {
      words.push(...expanded)
      continue
    }
    const read = readWord(each, walk)
    if ('problem' in read) return addOpaque(walk, read.problem, node)
    words.push(read)
  }
  if (changesState(node.body, 'place')) moveTo(walk, undefined)
  const rounds = roundsOf(name, words, node, walk)
  const bodies = new Set(rounds.map((round) => visit(node.body, round)))
  if (rounds.some((round) => round.moves !== walk.moves)) moveTo(walk, undefined)
  const [body] = bodies
  if (bodies.size > 1) return addOpaque(walk, 'a loop whose rounds differ', node)
  return `for ${name} in${words.map((each) => ` ${each.emission}`).join('')}\ndo\n${body}\ndone`
}

/** One walk per value where every value is known, else one with the variable unknown. The last one's directory counts. */
function roundsOf(name: string, words: readonly ReadWord[], node: For, walk: Walk): Walk[] {
  const values = words.flatMap(({ word }) => (word.kind === 'literal' ? [word.value] : []))
  const others = new Map(walk.variables)
  others.delete(name)
  const isUnknown = name === '_' || words.length === 0 || changesState(node.body, name)
  if (isUnknown) return [{ ...walk, variables: others }]
  const known = (variable: KnownVariable) => new Map(others).set(name, variable)
  if (values.length < words.length || values.length > walk.rounds) {
    const isUnclear = words.some(({ word }) => word.kind !== 'literal' && word.found?.isUnclear)
    const found = isUnclear ? { found: UNCLEAR } : {}
    return [{ ...walk, variables: known({ prefix: commonPrefix(words), ...patternsOf(words), ...found }) }]
  }
  const rounds = Math.floor(walk.rounds / values.length)
  return values.map((value) => ({ ...walk, rounds, variables: known({ value }) }))
}

const MAX_PATTERNS = 64

/** What the values are, as far as they are spelt. */
function patternsOf(words: readonly ReadWord[]): { readonly patterns?: readonly string[] } {
  const patterns = words.flatMap(({ word }) => {
    if (word.kind === 'literal') return [escapeGlob(word.value)]
    if (word.kind === 'glob') return [word.value]
    return word.patterns ?? [`${escapeGlob(word.prefix ?? '')}**${escapeGlob(word.suffix ?? '')}`]
  })
  return patterns.length > MAX_PATTERNS ? {} : { patterns }
}

/** The text that every word starts with when it runs. */
function commonPrefix(words: readonly ReadWord[]): string {
  const starts = words.map(({ word }) => {
    if (word.kind === 'dynamic') return word.prefix ?? ''
    return word.kind === 'literal' ? word.value : (/^[^*?[]*/.exec(word.value)?.[0] ?? '')
  })
  const [first = '', ...rest] = starts
  let length = first.length
  for (const start of rest) while (!start.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}
