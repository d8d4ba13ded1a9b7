import type { Reason } from './reason.ts'

/** One word of a simple command after quoting is resolved. */
export type Word =
  /** `written` is the original form of a word that starts with `~`; `value` is what the command gets. */
  | { readonly kind: 'literal'; readonly value: string; readonly written?: string }
  /** Any number of file names that match a pattern; `value` is the pattern. */
  | { readonly kind: 'glob'; readonly value: string }
  /**
   * Exactly one word, known only at run time; `prefix` and `suffix` are its literal start and end. `isOutput`: it is what
   * one program prints, and no text of the line.
   */
  | { readonly kind: 'dynamic'; readonly prefix?: string; readonly suffix?: string; readonly isOutput?: true }
  /** Any number of words, known only at run time; `prefix` is the literal start of the first one. */
  | { readonly kind: 'many'; readonly prefix?: string; readonly isOutput?: true }

/**
 * Which allow rule can cover one link of a command chain. `wildcard`: any matching rule. `exact`: only a rule that
 * spells out the whole command or the words that matter. `none`: no rule is needed. `never`: no rule can.
 */
export type Cover = 'wildcard' | 'exact' | 'none' | 'never'

/** One command in a chain of wrappers: `timeout 5 git diff` has two links, `timeout 5 git diff` and `git diff`. */
export type CommandLink = {
  readonly argv: readonly Word[]
  readonly cover: Cover
  readonly why?: Reason
  /** The words that start another program: a rule that contains all of them covers the link. */
  readonly spelled?: readonly string[]
  /** It runs an interpreter: a rule for its name alone allows any code. */
  readonly isInterpreter?: true
  /** It runs commands that no word shows: a deny may match any of them. */
  readonly isUnseen?: true
  /** It does not run in the project root, so a relative path of a program means another file. */
  readonly isMoved?: true
  /** git's `-C` names a folder of the project. */
  readonly isInside?: true
}

/** A path in the forms that rules look at; all absolute but `given`. */
export type PathForms = {
  readonly given: string
  /** Joined with the working directory, `..` removed as text. */
  readonly lexical: string
  /** Links followed, to the deepest existing ancestor; dangling links followed too. */
  readonly resolved: string
  /** The walk the kernel makes: `link/..` is the parent of the link's target. */
  readonly physical: string
  /** Set when the path cannot be judged (a link loop, a NUL); such a path is never allowed. */
  readonly problem?: string
}

/** A thing that a call touches. A deny needs one, an allow must cover every one. */
export type Subject =
  /** One simple command; `chain` runs from the outermost wrapper to the innermost command. */
  | { readonly kind: 'command'; readonly chain: readonly CommandLink[]; readonly text: string }
  | PathSubject
  | { readonly kind: 'domain'; readonly url: string; readonly host: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  /** The tool itself, or an agent or skill that it names. `specifier` is absent for the bare tool. */
  | { readonly kind: 'name'; readonly tool: string; readonly specifier?: string }
  /** A part that no scoped rule covers. With `isUnseen` commands may run in it that its text does not show. */
  | { readonly kind: 'opaque'; readonly reason: Reason; readonly isUnseen?: true }

export type PathSubject = {
  readonly kind: 'path'
  readonly access: 'read' | 'write'
  readonly path: PathForms
  readonly source: PathSource
}

/**
 * Where a path comes from: `tool` a file tool's parameter, `redirect` the target of a redirect that writes (both need an
 * allow), `operand` a file that a command line reads, or a word of a file command: only a read outside needs an allow.
 */
export type PathSource = 'tool' | 'redirect' | 'operand'

/** A call as the policy sees it: no tool objects, no config. */
export type Call = {
  readonly tool: string
  readonly aliases: readonly string[]
  readonly input: Readonly<Record<string, unknown>>
  readonly subjects: readonly Subject[]
  /** True for tools without effect outside the run: allowed unless a deny names them. */
  readonly isFree: boolean
  readonly isReadOnly: boolean
}
