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

/** Files of the project, and the line that runs them. */
export type Script = { readonly line: string; readonly files: Readonly<Record<string, string>> }

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
  /** Why it cannot be played on this machine. */
  readonly skip?: () => string | undefined
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

/** Everything that the command changed is kept. */
export const kept = (...changes: string[]): Expected => ({ end: 'kept', names: [], changes })

/** The command is undone whole, and its result names these paths. */
export const undone = (...names: string[]): Expected => ({ end: 'undone', names, changes: [] })

/** These new paths are left out, these changes stand. */
export const leftOut = (names: readonly string[], ...changes: string[]): Expected => ({
  end: 'leftOut',
  names,
  changes,
})

export const denied = (...names: string[]): Expected => ({ end: 'denied', names, changes: [] })

export const stopped = (...names: string[]): Expected => ({ end: 'stopped', names, changes: [] })

/** Whatever its result says: these changes, and no others. */
export const only = (...changes: string[]): Expected => ({ end: 'any', names: [], changes })

/** A case of one command. */
export type OneCall = readonly [row: string, command: CallInput | Script, expected: Expected, options?: RowOptions]

/** Cases that share a group and what is not said of each. */
export function rows(group: string, shared: RowOptions, ...each: readonly OneCall[]): EffectRow[] {
  return each.map(([row, command, expected, options]) => {
    const isScript = typeof command === 'object' && 'line' in command
    const script = isScript ? command.files : {}
    return {
      ...{ ...shared, ...options, row, group, expected: [expected] },
      files: { ...shared.files, ...script, ...options?.files },
      prepare(folders) {
        shared.prepare?.(folders)
        options?.prepare?.(folders)
      },
      messages: [[isScript ? command.line : command]],
    }
  })
}

/** A case of several calls one after the other. */
export function series(
  group: string,
  row: string,
  calls: readonly (readonly [CallInput, Expected])[],
  options: RowOptions = {},
): EffectRow {
  return {
    ...options,
    row,
    group,
    messages: calls.map(([call]) => [call]),
    expected: calls.map(([, expected]) => expected),
  }
}

/** A case of several calls in one message. */
export function together(
  group: string,
  row: string,
  calls: readonly (readonly [CallInput, Expected])[],
  options: RowOptions = {},
): EffectRow {
  return { ...series(group, row, calls, options), messages: [calls.map(([call]) => call)] }
}
