import type { ArithmeticCommand, ArithmeticFor, BraceGroup, Case, CompoundList, For, If, Subshell, While } from 'unbash'
import { emitArithmetic } from '../words/arithmetic.ts'
import { readBraces } from '../words/readBraces.ts'
import { emitPieces, type ReadWord, readPieces, readWord, wordProblem } from '../words/readWord.ts'
import { fixedStart, sharedStart } from '../words/wordOf.ts'
import { assignmentProblem } from './assignmentProblem.ts'
import { mayChangeDirectory } from './collectFacts.ts'
import { inSubshell, type KnownVariable, moveTo, Unjudged, visitOptional, type Walk } from './Walk.ts'

type VisitList = (list: CompoundList, walk: Walk) => string
type Compound = Subshell | BraceGroup | If | While | For | Case | ArithmeticCommand | ArithmeticFor

/** Judges a group, a condition or a loop. Returns its canonical text. */
export function walkCompound(node: Compound, walk: Walk, visit: VisitList): string {
  switch (node.type) {
    case 'Subshell':
      return `(\n${visit(node.body, inSubshell(walk))}\n)`
    case 'BraceGroup':
      return `{\n${visit(node.body, walk)}\n}`
    case 'If':
      return visitOptional(walk, () => walkIf(node, walk, visit))
    case 'While':
      return visitOptional(walk, () => walkWhile(node, walk, visit))
    case 'For':
      return visitOptional(walk, () => walkFor(node, walk, visit))
    case 'Case':
      return visitOptional(walk, () => walkCase(node, walk, visit))
    case 'ArithmeticCommand':
      return `(( ${emitArithmetic(node.expression, node.body, walk) || '0'} ))`
    case 'ArithmeticFor':
      return visitOptional(walk, () => walkArithmeticFor(node, walk, visit))
  }
}

/** After a `cd` in any branch, the directory is unknown in the other branches and in what follows. */
function branch(list: CompoundList, before: number, walk: Walk, visit: VisitList): string {
  const text = visitOptional(walk, () => visit(list, walk))
  if (walk.moves !== before) walk.cwd = undefined
  return text
}

function walkIf(node: If, walk: Walk, visit: VisitList): string {
  const before = walk.moves
  const part = (list: CompoundList): string => branch(list, before, walk, visit)
  let text = `if\n${part(node.clause)}\nthen\n${part(node.then)}\n`
  for (const elif of node.elif) text += `elif\n${part(elif.clause)}\nthen\n${part(elif.then)}\n`
  if (node.else) text += `else\n${part(node.else)}\n`
  return `${text}fi`
}

function walkCase(node: Case, walk: Walk, visit: VisitList): string {
  const { emission } = readWord(node.word, walk)
  const before = walk.moves
  let text = `case ${emission} in\n`
  for (const item of node.items) {
    const patterns = item.pattern.map((each) => emitPieces(readPieces(each, walk)))
    text += `(${patterns.join(' | ')})\n${branch(item.body, before, walk, visit)}\n${item.terminator ?? ';;'}\n`
  }
  return `${text}esac`
}

function walkWhile(node: While, walk: Walk, visit: VisitList): string {
  if (mayChangeDirectory(node.clause) || mayChangeDirectory(node.body) || walk.functions.size > 0)
    moveTo(walk, undefined)
  return `${node.kind}\n${visit(node.clause, walk)}\ndo\n${visit(node.body, walk)}\ndone`
}

function walkArithmeticFor(node: ArithmeticFor, walk: Walk, visit: VisitList): string {
  const texts = [node.initialize, node.test, node.update].map((part) => emitArithmetic(part, 'for ((…))', walk))
  if (mayChangeDirectory(node.body) || walk.functions.size > 0) moveTo(walk, undefined)
  return `for (( ${texts.join('; ')} ))\ndo\n${visit(node.body, walk)}\ndone`
}

function walkFor(node: For, walk: Walk, visit: VisitList): string {
  const name = node.name.text
  if (!/^[A-Za-z_]\w*$/.test(name) || assignmentProblem(name, false)) throw new Unjudged({ code: 'variable', name })
  if (mayChangeDirectory(node.body) || walk.functions.size > 0) moveTo(walk, undefined)
  if (!node.wordlist) return `for ${name}\ndo\n${visit(node.body, { ...walk, variables: without(walk, name) })}\ndone`
  const words = node.wordlist.flatMap((each, index, all) => {
    if (index > 0 && all[index - 1]?.end === each.pos) throw wordProblem('process', each.text)
    return readBraces(each.text) ?? [readWord(each, walk)]
  })
  const rounds = roundsOf(name, words, walk)
  const bodies = new Set(rounds.map((round) => visit(node.body, round)))
  if (rounds.some((round) => round.moves !== walk.moves)) moveTo(walk, undefined)
  const [body] = bodies
  if (bodies.size > 1) throw new Unjudged({ code: 'construct', what: 'a loop whose iterations differ' })
  return `for ${name} in${words.map((each) => ` ${each.emission}`).join('')}\ndo\n${body}\ndone`
}

function without({ variables }: Walk, name: string): ReadonlyMap<string, KnownVariable> {
  const others = new Map(variables)
  others.delete(name)
  return others
}

/** One walk per value if every value is known, otherwise one with the variable unknown. */
function roundsOf(name: string, words: readonly ReadWord[], walk: Walk): Walk[] {
  const values = words.flatMap(({ word }) => (word.kind === 'literal' ? [word.value] : []))
  const others = without(walk, name)
  if (words.length === 0 || !walk.facts.isAssignedOnce(name)) return [{ ...walk, variables: others }]
  const known = (variable: KnownVariable) => new Map(others).set(name, variable)
  if (values.length < words.length || values.length > walk.rounds) {
    return [{ ...walk, variables: known({ prefix: sharedStart(words.map(({ word }) => fixedStart(word))) }) }]
  }
  const rounds = Math.floor(walk.rounds / values.length)
  return values.map((value) => ({ ...walk, rounds, variables: known({ value, isConstant: false }) }))
}
