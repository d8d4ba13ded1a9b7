import type { ArrayValue, Assignment } from 'unbash'
import type { Reason } from '../../contracts/reason.ts'
import { isPlain } from '../words/quoteWord.ts'
import { readWord } from '../words/readWord.ts'
import { assignmentProblem, isHarmless } from './assignmentProblem.ts'
import { noteOpaquePart, type Walk } from './Walk.ts'

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
  const { name, value, append, index } = assignment
  if (index !== undefined && !/^\d+$/.test(index.text)) {
    noteOpaquePart(walk, { code: 'arithmetic', text: assignment.text.slice(0, 60) }, assignment, true)
    return undefined
  }
  const target = `${name}${index ? `[${index.text}]` : ''}${append ? '+' : ''}=`
  if (value.type === 'ArrayValue') {
    const elements = readArray(value, walk)
    return elements === undefined ? undefined : `${target}(${elements})`
  }
  const read = readWord(value, walk)
  if ('problem' in read) {
    noteOpaquePart(walk, read.problem, assignment, read.isUnseen)
    return undefined
  }
  const { word, emission, isVariable } = read
  // Assignments expand no file names, but `$NAME` without quotes does: the value of a pattern is not known.
  const isKnown = word.kind === 'literal' && !isVariable && !append && !index && walk.facts.isAssignedOnce(name)
  if (isKnown && forShell && isPlain(word.value) && !assignmentProblem(name, false)) {
    walk.variables = new Map(walk.variables).set(name, { value: word.value, isConstant: true })
  }
  return `${target}${emission === "''" ? '' : emission}`
}

function readArray(value: ArrayValue, walk: Walk): string | undefined {
  const texts: string[] = []
  for (const element of value.elements) {
    const read = readWord(element, walk)
    // `[index]=value` is arithmetic.
    if ('problem' in read || element.text.startsWith('[')) {
      const problem: Reason = 'problem' in read ? read.problem : { code: 'arithmetic', text: element.text.slice(0, 60) }
      noteOpaquePart(walk, problem, element, !('problem' in read) || read.isUnseen)
      return undefined
    }
    texts.push(read.emission)
  }
  return texts.join(' ')
}
