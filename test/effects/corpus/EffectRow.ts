/** What becomes of one call, as its result says it. */
export type CallEnd =
  /** Everything it changed stands, and nothing was refused. */
  | 'kept'
  /** It ran, nothing that it changed stands, and its result names why. */
  | 'undone'
  /** New files were left out and named; the rest stands. */
  | 'leftOut'
  /** It did not start. */
  | 'denied'
  /** `denied` or `undone`: it does not matter which wall held. */
  | 'stopped'
  /** Only the files count. */
  | 'any'

export type Expected = {
  readonly end: CallEnd
  /** Paths that the result must name. */
  readonly names: readonly string[]
  /** How the tree differs afterwards, line by line as `differences` writes it. */
  readonly changes: readonly string[]
}

export type CallInput = string | { readonly name: string; readonly input: Readonly<Record<string, unknown>> }

/** `landlock`: where no namespaces are; expected is what is expected of `watched`. */
export type EffectMode = 'enforced' | 'watched' | 'landlock'

export type RowFolders = {
  readonly base: string
  readonly project: string
  readonly home: string
  readonly outside: string
}

export type RowPolicy = {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** More keys of `sandbox`, as they stand between its braces. */
  readonly sandbox?: string
  /** More lines at the end. */
  readonly more?: string
}

export type RowOptions = {
  readonly policy?: RowPolicy
  /** Files of the project, on top of those that every row has. */
  readonly files?: Readonly<Record<string, string>>
  /** What a group prepares comes before what its rows do. */
  readonly prepare?: (folders: RowFolders) => void
  /** What is expected where the command works on the checkout itself; a text says why it is not played. */
  readonly watched?: Expected | string
  /** Says why the row is not played in a view. */
  readonly enforced?: string
  /** Says why it is not played behind Landlock. */
  readonly landlock?: string
  /** Objects, logs and the like below `.git` may change, whatever is expected of refs and index. */
  readonly gitMayMove?: true
  /** Lines of changes that may be there or not. */
  readonly tolerates?: RegExp
  /** More words of the command line. */
  readonly args?: readonly string[]
  /** A second run with these calls in the same place, before anything is compared. */
  readonly again?: readonly CallInput[]
  /** Must not stand in any tool result. */
  readonly hidden?: string
  /** Must stand in a tool result. */
  readonly shows?: string | RegExp
  /** What files hold afterwards. */
  readonly holds?: Readonly<Record<string, string>>
  /** What must be true of the folders besides, after the run; a text says what is not. */
  readonly also?: (folders: RowFolders) => string | undefined
  /** The process must have this exit code; 0 unless said. */
  readonly exit?: number | 'any'
  /** Says why it cannot be played at all. */
  readonly skip?: string
}

/** One case: calls under a policy in a project, and how the whole tree and a folder beside it look afterwards. */
export type EffectRow = RowOptions & {
  readonly row: string
  readonly group: string
  /** The calls of each message. */
  readonly messages: readonly (readonly CallInput[])[]
  /** One for each call, in their order. */
  readonly expected: readonly Expected[]
}
