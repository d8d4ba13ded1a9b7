import type { ParsedScript, SyntaxNode } from 'unbash'
import type { Reason } from '../../contracts/reason.ts'
import type { PathForms, Subject } from '../../contracts/subject.ts'
import type { ShellContext } from '../shellContext.ts'
import type { Facts } from './collectFacts.ts'

/** What was found so far; the same object for the whole line. */
export type Findings = {
  readonly subjects: Map<string, Subject>
  isReadOnly: boolean
  /** False where a part of the line cannot be written anew. */
  canRebuild: boolean
  startsGit: boolean
  /** Scripts among words that may still be opened. */
  scripts: number
}

/** Where the walk stands: a subshell gets a copy, so that nothing of it leaves. */
export type Walk = {
  readonly context: ShellContext
  readonly findings: Findings
  /** The parts of the walk that call each other. */
  readonly visit: Visitors
  /** Scripts around this one. */
  readonly depth: number
  /** What is known of the variables of this script before it is walked. */
  readonly facts: Facts
  /** Variables whose value is known here. */
  variables: ReadonlyMap<string, KnownVariable>
  /** Functions that are certainly defined here. */
  functions: ReadonlySet<string>
  /** Rounds that loops may still be unrolled into. */
  readonly rounds: number
  /** Undefined where it cannot be known. */
  cwd: string | undefined
  /** How often the directory may have changed: a way back does not undo it, a part of it may not have run. */
  moves: number
}

/** A constant of the line, the value of this round of a loop, or only the text that every value starts with. */
export type KnownVariable = { readonly value: string; readonly isConstant: boolean } | { readonly prefix: string }

export type Visitors = {
  /** Judges a nested script where it stands; its canonical text. */
  script(script: ParsedScript, walk: Walk): string
  /** Judges the text of a script that a command is given; its canonical text. */
  text(text: string, walk: Walk): string
  /** Only for deny: the commands and redirects anywhere below a node that is not judged. */
  hidden(node: SyntaxNode, walk: Walk): void
  /** Only for deny: the commands in a text that is not judged. */
  inline(text: string, walk: Walk): readonly Subject[]
}

export function newFindings(): Findings {
  return { subjects: new Map(), isReadOnly: true, canRebuild: true, startsGit: false, scripts: 50 }
}

export function addSubject(walk: Walk, subject: Subject): void {
  walk.findings.subjects.set(JSON.stringify(subject.kind === 'command' ? subject.chain : subject), subject)
}

/** Notes what no scoped rule covers, although the line can be written anew. */
export function addRefused(walk: Walk, reason: Reason, isUnseen = false): void {
  walk.findings.isReadOnly = false
  if (isUnseen) walk.findings.startsGit = true
  addSubject(walk, { kind: 'opaque', reason, ...(isUnseen ? { isUnseen } : {}) })
}

/** Notes a part that cannot be judged, and what is hidden in it. */
export function addOpaque(walk: Walk, reason: Reason, node?: SyntaxNode, isUnseen = false): string {
  walk.findings.canRebuild = false
  addRefused(walk, reason, isUnseen)
  if (node) walk.visit.hidden(node, walk)
  return ''
}

/** The directory changes, or may change; undefined where it cannot be known. */
export function moveTo(walk: Walk, cwd: string | undefined): void {
  walk.cwd = cwd
  walk.moves += 1
}

/** The walk inside a subshell, a pipe or a background command. */
export function inSubshell(walk: Walk): Walk {
  return { ...walk }
}

/** Visits what may not run: what it makes known is not known afterwards. */
export function maybe<T>(walk: Walk, visit: () => T): T {
  const { variables, functions } = walk
  const result = visit()
  walk.variables = variables
  walk.functions = functions
  return result
}

/** The forms of a path as a word gives it; a `~` in a word's value is a name, the shell has expanded what it expands. */
export function resolveValue(value: string, { context, cwd }: Pick<Walk, 'context' | 'cwd'>): PathForms {
  return context.resolve(value.startsWith('~') ? `./${value}` : value, cwd ?? context.root)
}
