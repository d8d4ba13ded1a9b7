/** How a flag's value is read. `switch` takes none; `list` may be repeated and split by commas outside parentheses. */
export type FlagKind = 'switch' | 'text' | 'file' | 'count' | 'money' | 'duration' | 'list' | 'repeat' | 'choice'

/** One flag of a run: the source of the parser, of `--help` and of docs/command-line.md. */
export type Flag = {
  readonly kind: FlagKind
  /** The placeholder for the value in help. */
  readonly value?: string
  readonly describe: string
  readonly alias?: readonly string[]
  /** Further environment variables for it; the first that is set counts. `KODE_RUN_…` always works. */
  readonly environment?: readonly string[]
  readonly choices?: readonly string[]
  readonly mayBeEmpty?: boolean
  readonly mayBeZero?: boolean
  /** The value may be left out, and is this then. The next word is the value only if it matches `further`. */
  readonly alone?: string
  /** Values that users know from other agents, and why they are refused. */
  readonly refusals?: Readonly<Record<string, string>>
  /** Matches a further value in a list of words: `--add-dir ../a ../b`. */
  readonly further?: RegExp
  /** The default, as shown in documents and help. */
  readonly fallback?: string
  /** The same setting under `run:` of a policy. */
  readonly policyKey?: string
}

export function valued(
  kind: Exclude<FlagKind, 'switch'>,
  value: string,
  describe: string,
  more: Partial<Flag> = {},
): Flag {
  return { kind, value, describe, ...more }
}

export function toggle(describe: string, more: Partial<Flag> = {}): Flag {
  return { kind: 'switch', describe, ...more }
}

/** A name of a worktree: one folder. */
export const WORKTREE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/
