import type { PathForms, Subject } from '../contracts/subject.ts'

/** Where a line would run. `resolve` is the only look at the disk: it follows links and opens nothing. */
export type ShellContext = {
  readonly cwd: string
  /** The project root, links resolved. */
  readonly root: string
  readonly home: string
  resolve(path: string, cwd: string): PathForms
}

/** What a command line touches. */
export type ShellAnalysis = {
  /** A `command` per simple command, a `path` per redirect and file operand, an `opaque` per part that cannot be judged. */
  readonly subjects: readonly Subject[]
  /** What to execute instead of the given text once the subjects are allowed; null where there is anything opaque. */
  readonly canonical: string | null
  /** True only where every command is a known reader without dangerous options, and nothing is written. */
  readonly isReadOnly: boolean
}
