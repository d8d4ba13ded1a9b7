import type { ArrayValue, Assignment } from 'unbash'
import type { Reason } from '../../contracts/reason.ts'
import { arithmeticProblem } from '../words/arithmetic.ts'
import { isPlain } from '../words/quoteWord.ts'
import { readWord } from '../words/readWord.ts'
import { assignmentProblem, isHarmless } from './assignmentProblem.ts'
import { orOpaque, type Walk } from './Walk.ts'

/** Assignments as canonical text. `problem` says why no rule covers what follows them. */
export type ReadAssignments = { readonly emission: string; readonly problem: Reason | undefined }

/** `forShell`: they persist in the shell instead of applying to one command. */
export function readAssignments(assignments: readonly Assignment[], forShell: boolean, walk: Walk): ReadAssignments {
  let problem: Reason | undefined
  const texts: string[] = []
  for (const assignment of assignments) {
    if (steers(assignment, !forShell)) problem ??= { code: 'variable', name: assignment.name }
    texts.push(readAssignment(assignment, forShell, walk) ?? '')
  }
  return { emission: texts.join(' '), problem }
}

/** `SECONDS=0` steers nothing. */
export function steers({ name, value, index }: Assignment, isForCommand: boolean): boolean {
  if (assignmentProblem(name, isForCommand) === undefined) return false
  return index !== undefined || value.type !== 'Word' || !isHarmless(name, value.text.replace(/^(["'])(.*)\1$/, '$2'))
}

/** One assignment as canonical text; undefined if it makes the line opaque. */
export function readAssignment(assignment: Assignment, forShell: boolean, walk: Walk): string | undefined {
  return orOpaque(assignment, walk, () => emitAssignment(assignment, forShell, walk))
}

function emitAssignment(assignment: Assignment, forShell: boolean, walk: Walk): string | undefined {
  const { name, value, append, index } = assignment
  if (index !== undefined && !/^\d+$/.test(index.text)) throw arithmeticProblem(assignment.text)
  const target = `${name}${index ? `[${index.text}]` : ''}${append ? '+' : ''}=`
  if (value.type === 'ArrayValue') {
    const elements = readArray(value, walk)
    return elements && `${target}(${elements.join(' ')})`
  }
  const { word, emission, isVariable } = readWord(value, walk)
  // Assignments expand no file names, but `$NAME` without quotes does: the value of a pattern is not known.
  const isKnown = word.kind === 'literal' && !isVariable && !append && !index && walk.facts.isAssignedOnce(name)
  if (isKnown && forShell && isPlain(word.value) && !assignmentProblem(name, false)) {
    walk.variables = new Map(walk.variables).set(name, { value: word.value, isConstant: true })
  }
  return `${target}${emission === "''" ? '' : emission}`
}

/** The elements up to one that cannot be judged; undefined if there is one. */
function readArray({ elements }: ArrayValue, walk: Walk): readonly string[] | undefined {
  const texts: string[] = []
  for (const element of elements) {
    const text = orOpaque(element, walk, () => {
      const { emission } = readWord(element, walk)
      // `[index]=value` is arithmetic.
      if (element.text.startsWith('[')) throw arithmeticProblem(element.text)
      return emission
    })
    if (text === undefined) return undefined
    texts.push(text)
  }
  return texts
}
