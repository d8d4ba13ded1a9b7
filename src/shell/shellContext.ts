import type { PathForms, Subject } from '../contracts/subject.ts'

/** Where a line would run. Its functions are the only looks at the disk: at names and links, nothing is opened. */
export type ShellContext = {
  readonly cwd: string
  /** The project root, links resolved. */
  readonly root: string
  readonly home: string
  resolve(path: string, cwd: string): PathForms
  /** The links that a glob below the folder leads through; undefined where there is too much to look through. */
  linksOf(folder: string, glob: string): readonly LinkOnTheWay[] | undefined
  /** The paths that a glob below the folder fits, links on the way not resolved; undefined where that is too much. */
  matches(folder: string, glob: string): readonly string[] | undefined
  /** The paths below the folder, or those that the glob fits and what is below them; undefined where they are too many. */
  below(folder: string, glob: string | undefined): readonly string[] | undefined
  /** What lies below the folder, behind links too if asked for; undefined where it is too much. */
  tree(folder: string, isFollowing: boolean): readonly TreeEntry[] | undefined
}

/** A path below a folder; `target` is where a link on the way leads. */
export type TreeEntry = { readonly path: string; readonly isLink: boolean; readonly target?: string }

/** A link, and what of the glob follows it. */
export type LinkOnTheWay = { readonly link: string; readonly rest: string }

/** What a command line touches. */
export type ShellAnalysis = {
  /** A `command` per simple command, a `path` per redirect and file operand, an `opaque` per part that cannot be judged. */
  readonly subjects: readonly Subject[]
  /** What to execute instead of the given text once the subjects are allowed; null where there is anything opaque. */
  readonly canonical: string | null
  /** True only where every command is a known reader without dangerous options, and nothing is written. */
  readonly isReadOnly: boolean
}
