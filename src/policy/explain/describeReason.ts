import type { Reason, RedirectProblemKind, WordProblemKind } from '../../contracts/reason.ts'
import { cut } from '../../lib/text/words.ts'

/** A reason as part of a sentence: why the call is not allowed. `adviceOn` says what would work instead. */
export function describeReason(reason: Reason): string {
  return tell(reason)[0]
}

/** What would work instead, as whole sentences; empty if there is no useful advice. */
export function adviceOn(reason: Reason): string {
  return tell(reason)[1] ?? ''
}

function tell(reason: Reason): Telling {
  return (TELLINGS[reason.code] as (reason: Reason) => Telling)(reason)
}

type Telling = readonly [why: string, advice?: string]

const SPLIT = 'Split it into simple commands.'
const ESCAPE = 'Write the character as an escape.'

const TELLINGS: { readonly [Code in Reason['code']]: (reason: Extract<Reason, { code: Code }>) => Telling } = {
  emptyLine: () => ['the command is empty'],
  longLine: ({ most }) => [`the command is longer than ${most} characters`, 'Write a script file and run that.'],
  controlCharacter: () => ['the command has a control character', ESCAPE],
  brokenUnicode: () => ['the command is not valid Unicode', ESCAPE],
  hashAfterParenthesis: () => ['a `#` directly follows a parenthesis', 'Put a space between them.'],
  syntax: ({ problem }) => [`it cannot be read as bash: ${problem}`, SPLIT],
  noCommand: () => ['there is no command in it'],
  construct: ({ what, instead }) => [`${what} cannot be judged`, instead ?? SPLIT],
  word: ({ what, text }) => [
    `${WORDS[what]}${text === '' ? '' : `: \`${text}\``}`,
    what === 'tilde' ? 'Write the whole path.' : 'Write the words out, or put them in single quotes.',
  ],
  arithmetic: ({ text }) => [
    `\`${text}\` does arithmetic with a value that is known only at run time, and such a value can run commands`,
    'Compare with `[ … ]`, which does no arithmetic, or use a variable that the command line sets to a number.',
  ],
  unknownCommand: ({ text }) => [
    `the program${text === '' ? '' : ` that \`${text}\` runs`} is known only at run time`,
    'Write the name of the program.',
  ],
  unseenCommands: ({ program }) => [
    `the command line does not show what \`${program}\` runs`,
    'Put the commands into the command line itself.',
  ],
  variable: ({ name }) => [
    name === ''
      ? 'the name of the variable that it changes is not a plain word, and the variable may control which programs run'
      : `the variable ${name} controls which programs run`,
    name === ''
      ? 'Write the name out, without options that are not needed.'
      : 'Leave that out, or set the variable for every command with `env: { set: … }` in the policy.',
  ],
  redirect: ({ what, target }) => [
    `${REDIRECTS[what]}${target === '' ? '' : ` (\`${target}\`)`}`,
    REDIRECT_ADVICE[what] ?? 'Use a literal, absolute path.',
  ],
  hidden: () => ['it is in a part of the command line that cannot be judged', SPLIT],
  changesHow: ({ program }) => [`${program} changes how its command runs`, 'Run the command without it.'],
  starts: ({ program, words }) => [
    words === ''
      ? `${program} can run other programs or load code`
      : `\`${cut(words, 60)}\` lets ${program} run another program, load code or write a file`,
    words === ''
      ? 'Only a rule for exactly this command allows it.'
      : 'Only a rule that spells out these words allows it.',
  ],
  mayBeOption: ({ program, word }) => [
    `an argument of ${program}${word === '' ? '' : ` (\`${word.slice(0, 60)}…\`)`} is known only at run time and may be an option that runs another program`,
    word.startsWith('-') ? 'Write its value out.' : 'Write it out, put `--` before it, or begin it with `./`.',
  ],
  directory: ({ path, isLost }) => [
    path === ''
      ? 'the target of `cd` is known only at run time'
      : isLost
        ? `where \`${cut(path, 60)}\` leads is known only at run time`
        : `\`${cut(path, 60)}\` is outside the project`,
    isLost ? 'Use a subshell, `(cd … && …)`, or an absolute path.' : 'Stay in the project, or use a rule for `cd`.',
  ],
  noRule: () => ['no allow rule covers it, and nobody is there to ask'],
  moved: () => ['after `cd`, the path in the rule names another program', 'Run it without `cd`.'],
  takenBack: () => ['a later option overrides an option that the rule requires', 'Leave out that option.'],
  mayContainCommand: () => [
    'it may run commands that the command line does not show',
    'Write out the commands with literal names.',
  ],
  reachesOutside: ({ path, access }) => [
    `${path} is outside the working directories, and no ${access === 'read' ? 'Read' : 'Edit'} rule covers it`,
  ],
  stated: ({ text }) => [text],
}

const WORDS: Readonly<Record<WordProblemKind, string>> = {
  braces: 'braces that are not plain lists',
  tilde: 'a `~` that bash may expand to another path',
  pattern: 'an unusual pattern',
  expansion: 'an expansion that can run a command or set a variable',
  escape: 'an unusual escape',
  process: 'a process substitution inside a longer word',
  translated: 'a translated string',
}

const REDIRECT_ADVICE: Readonly<Partial<Record<RedirectProblemKind, string>>> = {
  descriptor: 'Use a number after `>&`, or `&>` before a file.',
  network: 'Use a file.',
  document: "Use `<<'END'` with a plain word and its end on a line of its own, or write the file with a tool.",
}

const REDIRECTS: Readonly<Record<RedirectProblemKind, string>> = {
  descriptor: 'a redirect needs a plain descriptor number',
  unknown: 'the target of a redirect may be no file, or several',
  dynamic: 'the target of a redirect is known only at run time',
  network: 'a redirect opens a network connection',
  climbs: 'the target of a redirect has `..` after a symbolic link',
  document: 'a here-document has an unusual form',
  lost: 'the target of a redirect is relative, and the current directory is unknown after `cd`',
}
