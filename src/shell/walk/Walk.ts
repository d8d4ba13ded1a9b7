import type { ParsedScript, SyntaxNode } from 'unbash'
import type { Reason } from '../../contracts/reason.ts'
import type { PathForms, Subject } from '../../contracts/subject.ts'
import type { Facts } from './collectFacts.ts'

/** The findings so far; one object for the whole line. */
export type Findings = {
  readonly subjects: Map<string, Subject>
  isReadOnly: boolean
  /** False once a part of the line cannot be rebuilt. */
  canRebuild: boolean
  startsGit: boolean
  /** How many scripts among words, and commands of `find -exec`, may still be read. */
  scripts: number
}

/** The current state of the walk. A subshell gets a copy, so that its changes stay inside. */
export type Walk = {
  readonly context: ShellContext
  readonly findings: Findings
  /** The parts of the walk that call each other. */
  readonly visit: Visitors
  /** How many scripts enclose this one. */
  readonly depth: number
  /** It is a script of `sh`, which may be a shell without `[[` and `((`. */
  readonly isPosix: boolean
  /** Facts about this script's variables, collected before the walk. */
  readonly facts: Facts
  /** Variables whose value is known here. */
  variables: ReadonlyMap<string, KnownVariable>
  /** Functions that are certainly defined here. */
  functions: ReadonlySet<string>
  /** How many more iterations loops may be unrolled into. */
  readonly rounds: number
  /** Undefined if it cannot be known. */
  cwd: string | undefined
  /** How often the directory may have changed. A `cd` back does not count down: part of it may not have run. */
  moves: number
}

/** A constant of the line, the value in this iteration of a loop, or only the prefix that all values share. */
export type KnownVariable = { readonly value: string; readonly isConstant: boolean } | { readonly prefix: string }

export type Visitors = {
  /** Judges a nested script in place. Returns its canonical text. */
  script(script: ParsedScript, walk: Walk): string
  /** Judges the text of a script that a command is given. Returns its canonical text. `isPart`: this shell runs it. */
  text(text: string, walk: Walk, isPart?: boolean): string
  /** For deny rules only: the commands and redirects anywhere below a node that is not judged. */
  hidden(node: SyntaxNode, walk: Walk): void
  /** For deny rules only: the commands in a text that is not judged. */
  inline(text: string, walk: Walk): readonly Subject[]
}

export function newFindings(): Findings {
  return { subjects: new Map(), isReadOnly: true, canRebuild: true, startsGit: false, scripts: 50 }
}

export function addSubject(walk: Walk, subject: Subject): void {
  walk.findings.subjects.set(JSON.stringify(subject.kind === 'command' ? subject.chain : subject), subject)
}

/** Records something that no scoped rule covers, although the line can be rebuilt. */
export function addRefused(walk: Walk, reason: Reason, isUnseen = false): void {
  walk.findings.isReadOnly = false
  if (isUnseen) walk.findings.startsGit = true
  addSubject(walk, { kind: 'opaque', reason, ...(isUnseen ? { isUnseen } : {}) })
}

/** Records a part that cannot be judged, and the commands hidden in it. */
export function noteOpaquePart(walk: Walk, reason: Reason, node?: SyntaxNode, isUnseen = false): void {
  walk.findings.canRebuild = false
  addRefused(walk, reason, isUnseen)
  if (node) walk.visit.hidden(node, walk)
}

/** Thrown where something is read that cannot be judged. `orOpaque` catches it. */
export class Unjudged extends Error {
  readonly problem: Reason
  readonly isUnseen: boolean

  constructor(problem: Reason, isUnseen = false) {
    super(problem.code)
    this.problem = problem
    this.isUnseen = isUnseen
  }
}

/** What `read` returns; undefined if it met what cannot be judged, for which the node is then recorded. */
export function orOpaque<T>(node: SyntaxNode, walk: Walk, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Unjudged)) throw error
    noteOpaquePart(walk, error.problem, node, error.isUnseen)
    return undefined
  }
}

/** The directory changes, or may change; undefined if the target is unknown. */
export function moveTo(walk: Walk, cwd: string | undefined): void {
  walk.cwd = cwd
  walk.moves += 1
}

/** The walk inside a subshell, a pipe or a background command. */
export function inSubshell(walk: Walk): Walk {
  return { ...walk }
}

/** Visits code that may not run. What it sets is unknown afterwards. */
export function visitOptional<T>(walk: Walk, visit: () => T): T {
  const { variables, functions } = walk
  try {
    return visit()
  } finally {
    walk.variables = variables
    walk.functions = functions
  }
}

/** The forms of a path as a word gives it. A `~` in a word's value is literal: the shell has already expanded it. */
export function resolveValue(value: string, { context, cwd }: Pick<Walk, 'context' | 'cwd'>): PathForms {
  return context.resolve(value.startsWith('~') ? `./${value}` : value, cwd ?? context.root)
}

/** Where a line would run. Only `resolve` looks at the disk: it reads names and links and opens nothing. */
export type ShellContext = {
  readonly cwd: string
  /** The project root, links resolved. */
  readonly root: string
  readonly home: string
  resolve(path: string, cwd: string): PathForms
}

/** What a command line touches. */
export type ShellAnalysis = {
  /** One `command` per simple command, one `path` per named file, one `opaque` per part that no scoped rule covers. */
  readonly subjects: readonly Subject[]
  /** What to execute instead of the given text once the subjects are allowed; null if it cannot be rebuilt. */
  readonly canonical: string | null
  /** True only if every command is a known reader and nothing is written. */
  readonly isReadOnly: boolean
  /** True if git may run: then its changes to `.git` are judged instead of refused. */
  readonly startsGit: boolean
}
