/** The process as commands see it: what comes in, and where output goes. Made by the doors; tests make their own. */
export interface ProcessIo {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  /** Writes to stdout; never throws when the reader has gone. */
  print(text: string): void
  /** Writes to stderr. */
  warn(text: string): void
  readonly isTerminal: boolean
  readonly columns: number
  /** What is piped in, undefined where nothing is, or where a pipe says nothing for `patienceMs`. */
  readStdin(maxBytes: number, patience?: StdinPatience): Promise<string | undefined>
}

/** How long is waited for what is piped in, in milliseconds. */
export type StdinPatience = {
  /** For a first byte; a pipe that says nothing for so long counts as none. Without it, silence is an error. */
  readonly firstMs?: number
  /** For all of it. */
  readonly wholeMs?: number
}
