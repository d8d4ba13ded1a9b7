/** One word of a simple command after quoting is resolved. */
export type Word =
  /**
   * `written` is how a word that starts with `~` was spelt; `value` is what the command gets, or for it the more exact words
   * of `runsAs`.
   */
  | {
      readonly kind: 'literal'
      readonly value: string
      readonly written?: string
      readonly runsAs?: readonly string[]
    }
  /** Any number of words when it runs: unquoted glob characters, or files that were `found`. `value` is its pattern. */
  | { readonly kind: 'glob'; readonly value: string; readonly found?: FoundFiles }
  /**
   * Exactly one word, known only when it runs; `prefix` is the literal text it starts with, `suffix` what it ends with. With
   * `patterns` it is one of the paths that these fit, and names no file where there are none; with `found` one of these.
   */
  | {
      readonly kind: 'dynamic'
      readonly prefix?: string
      readonly suffix?: string
      readonly patterns?: readonly string[]
      readonly found?: FoundFiles
    }

/** The paths that a command prints or hands on, like `find`: what lies at and below some folders, and fits the rest. */
export type FoundFiles = {
  /** Where it looks, as its words say it; a path below is printed behind them. */
  readonly starts: readonly string[]
  /** Globs of which the last name fits one, or with a slash the whole path, without regard to case; any where absent. */
  readonly names?: readonly string[]
  /** These words and nothing below them; several may come as one text. */
  readonly isSpelt?: true
  /** What is read again may be parts of the paths: nothing is known of how a word begins. */
  readonly isTorn?: true
  /** They were spelt in the line and changed by another command on their way: any file may be meant. */
  readonly isUnclear?: true
  /** The command picks them by what they are called. */
  readonly isPicked?: true
  /** Globs that a printed path does not fit; their `*` goes over slashes too. */
  readonly except?: readonly string[]
  /** It may look behind links to folders. */
  readonly isFollowing?: true
  /** A path in the current folder is printed without `./` before it. */
  readonly isBare?: true
  /** The printed paths end in NUL. */
  readonly isNul?: true
  /** They are read again as a text that is split: blanks and quotes in them would make other paths. */
  readonly isSplit?: true
}

/**
 * How an allow rule may cover one link of a command chain: `prefix` any matching rule, `exact` only a rule without
 * wildcards that spells the whole command, `free` nothing is needed (a transparent wrapper), `never` no rule can.
 */
export type Cover = 'prefix' | 'exact' | 'free' | 'never'

/** One command in a chain of wrappers: `timeout 5 git diff` has two links, `timeout 5 git diff` and `git diff`. */
export type CommandLink = {
  readonly argv: readonly Word[]
  readonly cover: Cover
  /** Why `cover` is not `prefix`, in words for the model and for `policy explain`. */
  readonly why?: string
  /** It runs in another folder than the project root, or in one that is not known: a path in a rule means another file there. */
  readonly isMoved?: true
  /** Whether a rule that begins with these words covers it, because they spell the options that stand against that. */
  readonly isSpeltBy?: (rule: readonly string[]) => boolean
  /** Its words may take back options of a rule: asked only to tell why that does not cover it. */
  readonly mayTakeBack?: true
  /** Whether a word that names a place below the folder leads there through links too; absent where that is not known. */
  readonly staysIn?: (word: Word, folder: string) => boolean
  /** What it runs or writes cannot be seen: beside a scoped rule a bare `Bash` does not cover it, only an exact rule does. */
  readonly isOpaque?: true
}

/** A path in the forms that rules look at; all absolute but `given`. */
export type PathForms = {
  /** As the caller wrote it. */
  readonly given: string
  /** Joined with the working directory, `..` removed as text. */
  readonly lexical: string
  /** Links followed, to the deepest existing ancestor; dangling links followed too. */
  readonly resolved: string
  /** The walk the kernel makes: `link/..` is the parent of the link's target. */
  readonly physical: string
  /** Set when the path cannot be judged (a link loop, a NUL); such a path is never allowed. */
  readonly problem?: string
}

/** A thing that a call touches. A deny needs one, an allow must cover every one. */
export type Subject =
  /** One simple command; `chain` runs from the outermost wrapper to the innermost command. */
  | { readonly kind: 'command'; readonly chain: readonly CommandLink[]; readonly text: string }
  | PathSubject
  | { readonly kind: 'domain'; readonly url: string; readonly host: string }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  /** The tool itself, or what it names: an agent, a skill. `specifier` is absent for the bare tool. */
  | { readonly kind: 'name'; readonly tool: string; readonly specifier?: string }
  /** What cannot be known before it runs. Never covered by a rule. */
  | { readonly kind: 'opaque'; readonly reason: string }

/**
 * A file. With `glob` it is any file that this absolute pattern fits (`*` and `?` stay in one segment, `**` is anything),
 * and `path` is the folder its literal part names: a deny that may meet the pattern stands against the call.
 */
export type PathSubject = {
  readonly kind: 'path'
  readonly access: 'read' | 'write'
  readonly path: PathForms
  readonly source: PathSource
  /** The command that names it as its output: an exact rule for that allows to write it. */
  readonly writer?: CommandLink
  readonly glob?: string
  /** What lies below is moved, removed or copied with it: a deny that names a place there stands against the call. */
  readonly isTree?: true
  /** What the glob fits on disk, for a path that is read: only these are judged. Undefined: too much to look through. */
  readonly matches?: () => readonly string[] | undefined
  /** Where links lead that fit the glob: absolute globs, most of them literal. Judged as the glob is. */
  readonly links?: readonly string[]
  /** What lies below a tree on disk, links not followed, asked for only where a rule may meet it; undefined: too much. */
  readonly below?: () => readonly string[] | undefined
  /** It is any of these files at or below the path, which are looked for only where a rule may meet them. */
  readonly found?: FoundPaths
}

/** The files that were found on disk for `FoundFiles`, by every form of their names; undefined: they cannot be told. */
export type FoundPaths = Pick<FoundFiles, 'names' | 'except' | 'isPicked' | 'isUnclear'> & {
  /** All that was asked: two of them with one key are the same. */
  readonly key: string
  readonly files: () => readonly string[] | undefined
}

/**
 * Where a path comes from: `tool` a file tool's parameter, `redirect` a redirect of a shell line (both need an allow),
 * `operand` a word of a recognised file command (only deny and ask look at it; the command needs its own allow).
 */
export type PathSource = 'tool' | 'redirect' | 'operand'

/** A call as the policy sees it: no tool objects, no config. */
export type Call = {
  /** The tool's model-facing name and its aliases. */
  readonly tool: string
  readonly aliases: readonly string[]
  readonly input: Readonly<Record<string, unknown>>
  readonly subjects: readonly Subject[]
  /** True for tools without effect outside the run: allowed unless a deny names them. */
  readonly isFree: boolean
  readonly isReadOnly: boolean
}
