import type { Readable } from 'node:stream'

/** The process as commands see it: its input and output. Created by the entry points; tests create their own. */
export interface ProcessIo {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly home: string
  /** Writes to stdout; does not throw if the reader is gone. */
  print(text: string): void
  warn(text: string): void
  readonly isTerminal: boolean
  readonly columns: number
  /** Keeps V8's young generation small during a run; absent if the process is not the run's own. */
  keepSmall?(): void
  /** The piped input as it comes; absent if the process is not the run's own. */
  stdin?(): Readable
  /** The piped text; undefined if there is none, or if a pipe stays silent. */
  readStdin(maxBytes: number, patience?: StdinTimeouts): Promise<string | undefined>
}

export type StdinTimeouts = {
  /** Until the first byte: a pipe that stays silent longer counts as no input. Without it, silence is an error. */
  readonly firstMs?: number
  readonly wholeMs?: number
}
