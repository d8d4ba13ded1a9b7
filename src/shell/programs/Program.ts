/** Words that run another program or load code. Where no source is noted, it is the program's own manual or help. */
export type Start = {
  /**
   * The subcommands that take them, separated by `|`. Empty: only before the first operand; `*`: before the second one;
   * absent: anywhere.
   */
  readonly in?: string
  /** A single letter also matches in bundles; a long option by its prefixes, except before `!`. */
  readonly options?: string
  /** Only with such a value. */
  readonly value?: RegExp
  /** Words of another form. */
  readonly words?: RegExp
  /** The subcommand itself does it. */
  readonly any?: true
}

/** What is known about a program, or about several similar ones. An option that is not listed passes. */
export type Program = {
  readonly names: string
  readonly starts: readonly Start[]
  /**
   * Options that always take the next word, or the rest of their own, as their value. One that takes none, or not
   * always, would hide the option that follows.
   */
  readonly valued?: string
  /** Options that take the next two words. */
  readonly paired?: string
  /** Usual options that never take a value, in every version of the program: what follows is an option or an operand. */
  readonly flags?: string
  /** `valued` counts before the subcommand only. */
  readonly hasGlobalsOnly?: true
  /** Options that are neither a bundle nor the start of a longer one. */
  readonly whole?: string
  /** After these options and their value, all words belong to another program. */
  readonly ends?: string
  /** It passes what follows `--` to this program. */
  readonly passes?: string
  readonly isInterpreter?: true
  /** It accepts options by their full names only. */
  readonly isExact?: true
  /** All words after `--` are files or a pattern. */
  readonly acceptsDoubleDash?: true
  /** Without such an option, or with fewer operands, it reads commands from its input. */
  readonly needs?: RegExp
  readonly leastOperands?: number
}

/** Any use of the program, or any of the subcommand, does it. */
export const ANY: Start = { any: true }

/** Options that count before the first operand only. */
export function first(options: string): Start {
  return { in: '', options }
}

/** Subcommands that do it themselves. */
export function within(subcommands: string): Start {
  return { in: subcommands, any: true }
}

export type Starts = string | readonly (string | RegExp | Start)[]
type Facts = Omit<Program, 'names' | 'starts'>

/** A row of the tables. Among its starts, a text is options, and a pattern other words. */
export function program(names: string, starts: Starts, facts: Facts = {}): Program {
  const rows = [starts].flat().map((row) => {
    if (typeof row === 'string') return { options: row }
    return row instanceof RegExp ? { words: row } : row
  })
  return { names, starts: rows, ...facts }
}

/** A row of a program for which a rule of its bare name already allows any code: `Bash(node *)`. */
export function interpreter(names: string, starts: Starts, facts: Facts = {}): Program {
  return program(names, starts, { isInterpreter: true, ...facts })
}
