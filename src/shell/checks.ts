import type { ParseError } from 'unbash'
import { assignmentProblem } from './assignmentProblem.ts'
import { changeDirectory, placeProblem } from './changeDirectory.ts'
import { duplicateProblem } from './duplicateProblem.ts'
import { fileOperands } from './fileOperands.ts'
import { flagProblem } from './flagTable.ts'
import { literalProblem } from './literalProblem.ts'
import { refusalOf } from './refusalOf.ts'
import { remoteProblem } from './remoteProblem.ts'
import { wrapperKind } from './wrappers.ts'

/** The single questions behind a judgement, by subject. Tests replace one to see that the proof notices. */
export type Checks = {
  readonly refusalOf: typeof refusalOf
  readonly parseProblem: typeof parseProblem
  readonly literalProblem: typeof literalProblem
  readonly duplicateProblem: typeof duplicateProblem
  readonly changeDirectory: typeof changeDirectory
  readonly placeProblem: typeof placeProblem
  readonly assignmentProblem: typeof assignmentProblem
  readonly wrapperKind: typeof wrapperKind
  readonly flagProblem: typeof flagProblem
  readonly remoteProblem: typeof remoteProblem
  readonly fileOperands: typeof fileOperands
}

export const CHECKS: Checks = {
  refusalOf,
  parseProblem,
  literalProblem,
  duplicateProblem,
  changeDirectory,
  placeProblem,
  assignmentProblem,
  wrapperKind,
  flagProblem,
  remoteProblem,
  fileOperands,
}

function parseProblem(errors: readonly ParseError[] | undefined): string | undefined {
  return errors?.[0] && `it does not parse: ${errors[0].message}`
}
