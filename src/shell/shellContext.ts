import type { PathForms, Subject } from '../contracts/subject.ts'

/** Where a line would run. Only `resolve` looks at the disk: it reads names and links and opens nothing. */
export type ShellContext = {
  readonly cwd: string
  /** The project root, links resolved. */
  readonly root: string
  readonly home: string
  resolve(path: string, cwd: string): PathForms
}

/** What a command line touches. */
export type ShellAnalysis = {
  /** One `command` per simple command, one `path` per named file, one `opaque` per part that no scoped rule covers. */
  readonly subjects: readonly Subject[]
  /** What to execute instead of the given text once the subjects are allowed; null if it cannot be rebuilt. */
  readonly canonical: string | null
  /** True only if every command is a known reader and nothing is written. */
  readonly isReadOnly: boolean
  /** True if git may run: then its changes to `.git` are judged instead of refused. */
  readonly startsGit: boolean
}
