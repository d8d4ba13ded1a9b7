import type { Behavior, RuleRef } from '../contracts/decision.ts'
import type { PolicySettings } from '../contracts/settings.ts'
import type { RuleIndex } from './rules/indexRules.ts'

export type RuleTarget =
  /** Every use of the tool. */
  | { readonly kind: 'bare' }
  | { readonly kind: 'command'; readonly pattern: string }
  | { readonly kind: 'path'; readonly access: 'read' | 'write'; readonly pattern: string }
  | { readonly kind: 'domain'; readonly pattern: string }
  /** Globs; `server` is literal on allow rules. */
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  /** What the tool names: an agent, a skill. */
  | { readonly kind: 'name'; readonly pattern: string }
  /** One parameter of the call; only in deny and ask rules. */
  | { readonly kind: 'parameter'; readonly name: string; readonly pattern: string }
  /** It can never match. Only allow lists may hold such a rule, and a warning says so. */
  | { readonly kind: 'nothing' }

/** A rule as written, with the tool's model-facing name and what it covers. */
export type Rule = RuleRef & {
  readonly tool: string
  readonly target: RuleTarget
  /** 1-based; absent for a flag. Rules of one list may share a line. */
  readonly column?: number
}

/** Replaces the file name for a rule that the run adds for its own folders. Models need not know about these rules. */
export const OWN_RULE = 'the run itself'

export type Finding = {
  readonly file: string
  /** 1-based; 0 for a flag. */
  readonly line: number
  readonly column: number
  readonly level: 'error' | 'warning'
  readonly message: string
  readonly edit?: string
}

/** The folders that path rules start in, and every place each has led to since the start, the oldest first. */
export type Links = ReadonlyMap<string, readonly string[]>

/** A loaded policy. Read once and never changed; `sha256` covers the text of all files in the order of `files`. */
export type Policy = {
  readonly rules: readonly Rule[]
  readonly settings: PolicySettings
  /** Absolute paths: the policy itself first, then the files that it extends. Empty without a file. */
  readonly files: readonly string[]
  readonly sha256: string
  readonly warnings: readonly Finding[]
  /** The base of relative rules: absolute, links resolved. */
  readonly cwd: string
  readonly home: string
  /** Absolute paths that no call may write, whatever the rules say. A folder includes everything below it. */
  readonly untouchable: readonly string[]
  readonly index: RuleIndex
  readonly links: Links
  /** True if no sandbox keeps commands away from files outside the checkout. Absent: as `sandbox.mode` says. */
  readonly isUnsandboxed?: boolean
  /** The rules of the index, if it has more than `rules`. */
  readonly indexed?: readonly Rule[]
  /** The policy at the original root, after the run moved: its deny and ask rules still hold. */
  readonly origin?: Policy
}

export const RULE_LISTS = ['deny', 'ask', 'allow'] as const satisfies Behavior[]
