import type { RuleRef } from './decision.ts'
import type { Enforcement } from './events.ts'

export type EntryKind = 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device'

export type PathChange = {
  /** Absolute, in the checkout (never in a view's own folders). */
  readonly path: string
  /** `mode`: only the permission bits differ. A folder put in the place of a file is a `deleted` and a `created`. */
  readonly kind: 'created' | 'modified' | 'deleted' | 'mode'
  readonly entry: EntryKind
  readonly target?: string
  /** It has a set-uid or set-gid bit that it did not have. */
  readonly isSetId?: true
}

export type ChangeVerdict =
  /** Taken over: an Edit rule covers it. */
  | { readonly kind: 'covered' }
  /** Taken over without a rule, and only counted: git ignores it, or it lies in a writable folder of the run. */
  | { readonly kind: 'scratch' }
  /** Left out silently: sockets, FIFOs. */
  | { readonly kind: 'skipped' }
  /** No rule covers it, or one denies it (`rule`); `why` is a part of a sentence: `no Edit rule covers it`. */
  | { readonly kind: 'refused'; readonly why: string; readonly rule?: RuleRef }
  /** Never taken over, whatever the rules say; the whole command is undone. */
  | { readonly kind: 'never'; readonly why: string }

export type RefusedChange = {
  readonly change: PathChange
  readonly why: string
  readonly rule?: RuleRef
  /** No rule can cover it: the change is never taken over. */
  readonly isFinal?: true
}

/** What a command may change, and how it works on the checkout. */
export type CommandEffects = {
  /**
   * `read`: the checkout is read-only. `write`: a transaction, judged by the Edit rules. `scratch`: a transaction of which
   * only scratch is ever taken over (checks). `direct`: on the checkout itself, watched (background commands, servers).
   */
  readonly access: 'read' | 'write' | 'scratch' | 'direct'
  /** The line's covered commands include git (or bare `Bash` allows it): changes below `.git` may be taken over. */
  readonly mayChangeGit: boolean
  /** The tool use that the account names as the author of the changes. */
  readonly by: string
  /** The folder that `freshHome` made: this command's home and temporary folders are in it. */
  readonly home?: string | undefined
}

/** What a command changed, and which changes were kept. */
export type EffectsReport = {
  /** `enforced`: it worked on a view. `watched`: on the checkout itself, compared and put back afterwards. */
  readonly state: Extract<Enforcement, 'enforced'> | 'watched'
  /** Changes that an Edit rule covers, now in the checkout. Empty if the command was undone. */
  readonly kept: readonly PathChange[]
  /** Taken over without a rule: number of files by top folder (`node_modules`, `dist`). */
  readonly scratch: Readonly<Record<string, number>>
  /** New paths that no rule covers: left out; the rest was kept. */
  readonly leftOut: readonly RefusedChange[]
  /** The changes because of which the command was undone; empty if the rest was kept. */
  readonly undone: readonly RefusedChange[]
  /** Who changed it, if not the call's own command: a background command such as `bash_1`, an MCP server. */
  readonly of?: string
  /** The Edit allow rules, for the sentence on what commands may change. */
  readonly allowed?: readonly string[]
  /** Set if it is unknown which changes were applied (killed in the middle, a full disk): the reason. */
  readonly unknown?: string
}
