/**
 * Words that make a program run another program or load code that they name. Where no source is noted, it is the program's own
 * manual or help.
 */
export type Start = {
  /**
   * The subcommands that take them, separated by `|`. Empty: only before the first operand; `*`: before the second one;
   * absent: anywhere.
   */
  readonly in?: string
  /**
   * Options, separated by spaces. A single letter also matches in bundles; a long one by prefixes, except before `!`.
   */
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
   * Options that always take the next word, or the rest of their own, as their value: it is neither an option nor an operand.
   * One that takes none, or not always, would hide the option that follows.
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
  /** A rule of its bare name already allows any code: `Bash(node *)`. */
  readonly isInterpreter?: true
  /** It accepts options by their full names only. */
  readonly isExact?: true
  /** All words after `--` are files or a pattern. */
  readonly acceptsDoubleDash?: true
  /** Without such an option, or with fewer operands, it reads commands from its input. */
  readonly needs?: RegExp
  readonly leastOperands?: number
}

/** A program that is known only for options that start something. */
export function program(names: string, options: string, rest: Partial<Program> = {}): Program {
  return { names, starts: [{ options }], ...rest }
}
