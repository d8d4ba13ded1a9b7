/**
 * Why a command or a part of a line is not simply allowed: a code and the facts. `describeReason` makes the sentence,
 * and no code parses a sentence.
 */
export type Reason =
  // The line as a whole.
  | { readonly code: 'emptyLine' }
  | { readonly code: 'longLine'; readonly most: number }
  | { readonly code: 'controlCharacter' }
  | { readonly code: 'brokenUnicode' }
  | { readonly code: 'hashAfterParenthesis' }
  | { readonly code: 'syntax'; readonly problem: string }
  | { readonly code: 'noCommand' }
  // Parts of bash.
  /** `instead`: what would work, as a sentence. */
  | { readonly code: 'construct'; readonly what: string; readonly instead?: string }
  | { readonly code: 'word'; readonly what: WordProblemKind; readonly text: string }
  | { readonly code: 'arithmetic'; readonly text: string }
  | { readonly code: 'unknownCommand'; readonly text: string }
  | { readonly code: 'unseenCommands'; readonly program: string }
  | { readonly code: 'variable'; readonly name: string }
  | { readonly code: 'redirect'; readonly what: RedirectProblemKind; readonly target: string }
  | { readonly code: 'hidden' }
  // Programs.
  | { readonly code: 'changesHow'; readonly program: string }
  | { readonly code: 'starts'; readonly program: string; readonly words: string }
  | { readonly code: 'mayBeOption'; readonly program: string; readonly word: string }
  /** `isLost`: the path is relative to a folder that is known only at run time. */
  | { readonly code: 'directory'; readonly path: string; readonly isLost?: true }
  // What a rule says.
  | { readonly code: 'noRule' }
  | { readonly code: 'moved' }
  | { readonly code: 'takenBack' }
  | { readonly code: 'mayContainCommand' }
  | { readonly code: 'reachesOutside'; readonly path: string; readonly access: 'read' | 'write' }
  // What another kind of tool says about itself.
  | { readonly code: 'stated'; readonly text: string }

export type WordProblemKind = 'braces' | 'tilde' | 'pattern' | 'expansion' | 'escape' | 'process' | 'translated'

export type RedirectProblemKind = 'descriptor' | 'unknown' | 'dynamic' | 'network' | 'climbs' | 'document' | 'lost'
