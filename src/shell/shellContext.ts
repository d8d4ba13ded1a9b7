import type { PathForms, Subject } from '../contracts/subject.ts'

/** Where a line would run. `resolve` is the only look at the disk: at names and links, nothing is opened. */
export type ShellContext = {
  readonly cwd: string
  /** The project root, links resolved. */
  readonly root: string
  readonly home: string
  resolve(path: string, cwd: string): PathForms
}

/** What a command line touches. */
export type ShellAnalysis = {
  /** A `command` per simple command, a `path` per file that it names, an `opaque` per part that no scoped rule covers. */
  readonly subjects: readonly Subject[]
  /** What to execute instead of the given text once the subjects are allowed; null where it cannot be written anew. */
  readonly canonical: string | null
  /** True only where every command is a known reader, and nothing is written. */
  readonly isReadOnly: boolean
  /** True where git may run: its changes to `.git` are then looked at, and not refused. */
  readonly startsGit: boolean
}
