import type { Behavior, RuleRef } from '../contracts/decision.ts'
import type { PolicySettings } from '../contracts/settings.ts'
import type { RuleIndex } from './indexRules.ts'

/** What a rule looks at, after its text is taken apart. */
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
  /** One parameter of the call; deny and ask only. */
  | { readonly kind: 'parameter'; readonly name: string; readonly pattern: string }
  /** By its form it can never match; only allow lists may hold such a rule, and a warning says so. */
  | { readonly kind: 'nothing' }

/** A rule as written, with the tool's model-facing name and what it looks at. */
export type Rule = RuleRef & {
  readonly tool: string
  readonly target: RuleTarget
  /** 1-based; absent where a flag or a preset is meant. Rules of one list may share a line. */
  readonly column?: number
}

/** Stands for the file of a rule that the run gave itself, for folders of its own: no model needs to know of them. */
export const OWN_RULE = 'the run itself'

/** Something to say about a policy: where it stands, and the edit that mends it. */
export type Finding = {
  readonly file: string
  /** 1-based; 0 where a flag or a preset is meant. */
  readonly line: number
  readonly column: number
  readonly level: 'error' | 'warning'
  readonly message: string
  /** The text to write instead, where there is one. */
  readonly edit?: string
}

/** The folders that path rules start in, and where each led since the start, first things first. */
export type Links = ReadonlyMap<string, readonly string[]>

/** A loaded policy. Read once, never written to; `sha256` is over the text of all files in the order of `files`. */
export type Policy = {
  readonly rules: readonly Rule[]
  readonly settings: PolicySettings
  /** Absolute paths: the policy itself first, then what it extends. Empty without a file. */
  readonly files: readonly string[]
  readonly sha256: string
  readonly warnings: readonly Finding[]
  /** Where relative rules start: absolute, links resolved. */
  readonly cwd: string
  readonly home: string
  /** Absolute paths that no call may write, whatever the rules say. A folder stands for all below it. */
  readonly untouchable: readonly string[]
  readonly index: RuleIndex
  readonly links: Links
  /** The rules of the index, where it has more than `rules`. */
  readonly indexed?: readonly Rule[]
  /** The policy at the root where the run began, after it moved: its deny and ask rules still hold. */
  readonly origin?: Policy
}

/** The three lists, strongest first. */
export const RULE_LISTS = ['deny', 'ask', 'allow'] as const satisfies Behavior[]
