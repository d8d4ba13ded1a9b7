/** Words by which a program runs another one, or loads code, that they name. */
export type Start = {
  /** The subcommand that takes them, as a pattern of its words; empty: only before the first operand; absent: anywhere. */
  readonly in?: string
  /** Options with a blank between; a single letter is met in bundles too, a long one by its beginnings unless `!` follows. */
  readonly options?: string
  /** Only with such a value. */
  readonly value?: RegExp
  /** Words of another form. */
  readonly words?: RegExp
  /** The subcommand itself does. */
  readonly any?: true
  /** GTFOBins, or the section of the program's manual. */
  readonly source: string
}

/** What is known of a program, or of several that are alike. An option that is not listed passes. */
export type Program = {
  readonly names: string
  readonly starts: readonly Start[]
  /** Options that take the next word as their value: it is no option. */
  readonly valued?: string
  /** Behind these options and their value all words are another program's. */
  readonly ends?: string
  /** A rule of its name alone already means any code: `Bash(node *)`. */
  readonly isInterpreter?: true
  /** It knows its options by their full names only. */
  readonly isExact?: true
  /** All words behind `--` are files to it, or a pattern. */
  readonly takesDashes?: true
  /** Without one of these options, or with fewer operands, it takes commands from its input. */
  readonly needs?: string
  readonly leastOperands?: number
}

/** A program of which only options are known that start something. */
export function program(names: string, options: string, source: string, rest: Partial<Program> = {}): Program {
  return { names, starts: [{ options, source }], ...rest }
}
