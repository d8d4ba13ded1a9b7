import type { ParsedScript, SyntaxNode } from 'unbash'
import type { FoundFiles, PathForms, Subject } from '../contracts/subject.ts'
import type { Checks } from './checks.ts'
import type { Made, PathUse } from './laterUses.ts'
import type { ShellContext } from './shellContext.ts'

/** What was found so far; the same object for the whole line. */
export type Findings = {
  readonly subjects: Map<string, Subject>
  isReadOnly: boolean
  isOpaque: boolean
  /** Inline scripts that may still be opened. */
  scripts: number
  /** How many commands were judged, the paths that were met on the way, and the places that were made. */
  clock: number
  readonly uses: PathUse[]
  readonly places: Made[]
  /** Where a command may make files, and where others are written that fit a glob. */
  readonly changes: Moment[]
  readonly fitted: Moment[]
}

/** Which command of the line it is, and how many were judged before. */
export type Moment = { readonly command: number; at: number }

/** Where the walk stands: a subshell gets a copy, so its `cwd` does not leave it. */
export type Walk = {
  readonly context: ShellContext
  readonly checks: Checks
  readonly findings: Findings
  /** The parts of the walk that call each other. */
  readonly visit: Visitors
  /** Inline scripts around this one. */
  readonly depth: number
  /** Loop variables of which something is known in this round. */
  readonly variables: ReadonlyMap<string, KnownVariable>
  /** Rounds that loops may still be unrolled into. */
  readonly rounds: number
  /** Undefined where it cannot be known. */
  cwd: string | undefined
  /** How often the directory may have changed: a way back does not undo it, a part of it may not have run. */
  moves: number
  /** The paths that the command before a pipe prints for this one, and those that this one prints. */
  input?: FoundFiles | undefined
  printed?: FoundFiles | undefined
}

/** The whole value, or the literal text that every value starts with and the patterns of which each one fits some. */
export type KnownVariable =
  | { readonly value: string }
  | { readonly prefix: string; readonly patterns?: readonly string[]; readonly found?: FoundFiles }

export type Visitors = {
  /** Judges a nested script where it stands; its canonical text. */
  script(script: ParsedScript, walk: Walk): string
  /** Only for deny: the commands and redirects anywhere below a node that is not judged. */
  hidden(node: SyntaxNode, walk: Walk): void
  /** Only for deny: the text that a command is given to run. `isOpaque` where not all of it can be seen. */
  inline(text: string, walk: Walk): { readonly subjects: readonly Subject[]; readonly isOpaque: boolean }
}

export function newFindings(): Findings {
  return {
    subjects: new Map(),
    isReadOnly: true,
    isOpaque: false,
    scripts: 50,
    clock: 0,
    uses: [],
    places: [],
    changes: [],
    fitted: [],
  }
}

/** Notes a subject; `isUsed` false: where the line has put links before does not matter to it. */
export function addSubject(walk: Walk, subject: Subject, isUsed = true): void {
  const { subjects, uses, clock } = walk.findings
  subjects.set(keyOf(subject), subject)
  if (subject.kind === 'path' && isUsed)
    uses.push({ path: subject.path, cwd: walk.cwd ?? walk.context.root, subject, command: clock, at: clock })
}

/** What runs at the same time as its neighbours, or again: what it makes counts from its beginning on. */
export function atOnce<T>({ findings }: Walk, visit: () => T): T {
  const { clock, places, changes } = findings
  const [placesBefore, changesBefore] = [places.length, changes.length]
  const result = visit()
  const made = [...places.slice(placesBefore), ...changes.slice(changesBefore)]
  for (const each of made) each.at = Math.min(each.at, clock)
  return result
}

/** What goes on beside all that follows: its paths count as met at the end. */
export function inBackground<T>({ findings }: Walk, visit: () => T): T {
  const { uses, fitted } = findings
  const [usesBefore, fittedBefore] = [uses.length, fitted.length]
  const result = visit()
  for (const use of [...uses.slice(usesBefore), ...fitted.slice(fittedBefore)]) use.at = Number.POSITIVE_INFINITY
  return result
}

/** Notes a part that cannot be judged, and what is hidden in it. */
export function addOpaque(walk: Walk, reason: string, node?: SyntaxNode): string {
  walk.findings.isOpaque = true
  walk.findings.isReadOnly = false
  addSubject(walk, { kind: 'opaque', reason })
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

/** The forms of a path as a word gives it; a `~` in a word's value is a name, the shell has expanded what it expands. */
export function resolveValue(value: string, { context, cwd }: Pick<Walk, 'context' | 'cwd'>): PathForms {
  return context.resolve(value.startsWith('~') ? `./${value}` : value, cwd ?? context.root)
}

/** Whether something is there, seen from the project root; what cannot be told is. */
export function isOnDisk(path: string, { context }: Pick<Walk, 'context'>): boolean {
  const found = /[*?[]/.test(path) ? undefined : context.matches(path.startsWith('/') ? '/' : context.root, path)
  return found?.length !== 0
}

/** Everything that decides; how a command was written does not. */
function keyOf(subject: Subject): string {
  return JSON.stringify(subject.kind === 'command' ? subject.chain : subject)
}
