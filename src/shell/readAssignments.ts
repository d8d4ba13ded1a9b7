import type { Assignment } from 'unbash'
import { readWord } from './readWord.ts'
import { addOpaque, type Walk } from './walk.ts'

/** Assignments before a command as canonical text; `problem` says why no rule can cover a command after them. */
export type ReadAssignments = { readonly emission: string; readonly problem?: string }

export function readAssignments(assignments: readonly Assignment[], walk: Walk): ReadAssignments {
  let emission = ''
  let problem: string | undefined
  for (const assignment of assignments) {
    const { name, value, append, index } = assignment
    if (value.type !== 'Word' || append || index) {
      addOpaque(walk, `an assignment of an array or with += to ${name}`, assignment)
      continue
    }
    const read = readWord(value, walk)
    if ('problem' in read) {
      addOpaque(walk, `${read.problem} in an assignment`, assignment)
      continue
    }
    emission += `${name}=${read.emission} `
    problem ??= walk.checks.assignmentProblem(name, read.word.kind === 'literal')
  }
  return problem === undefined ? { emission } : { emission, problem }
}
