import type { Reason, RedirectProblemKind, WordProblemKind } from '../../contracts/reason.ts'

/** A reason as part of a sentence: why the call is not allowed. `adviceOn` says what would work instead. */
export function describeReason(reason: Reason): string {
  switch (reason.code) {
    case 'emptyLine':
      return 'the command is empty'
    case 'longLine':
      return `the command is longer than ${reason.most} characters`
    case 'controlCharacter':
      return 'the command has a control character'
    case 'brokenUnicode':
      return 'the command is not valid Unicode'
    case 'hashAfterParenthesis':
      return 'a `#` directly follows a parenthesis'
    case 'syntax':
      return `it cannot be read as bash: ${reason.problem}`
    case 'noCommand':
      return 'there is no command in it'
    case 'construct':
      return `${reason.what} cannot be judged`
    case 'word':
      return `${WORDS[reason.what]}${reason.text === '' ? '' : `: \`${reason.text}\``}`
    case 'arithmetic':
      return `\`${reason.text}\` does arithmetic with a value that is known only at run time, and such a value can run commands`
    case 'unknownCommand':
      return `the program${reason.text === '' ? '' : ` that \`${reason.text}\` runs`} is known only at run time`
    case 'unseenCommands':
      return `the command line does not show what \`${reason.program}\` runs`
    case 'variable':
      return `the variable ${reason.name || 'it sets'} controls which programs run`
    case 'redirect':
      return `redirect: ${REDIRECTS[reason.what]}${reason.target === '' ? '' : ` (\`${reason.target}\`)`}`
    case 'hidden':
      return 'it is in a part of the command line that cannot be judged'
    case 'changesHow':
      return `${reason.program} changes how its command runs`
    case 'starts':
      return `${reason.program}${reason.words === '' ? '' : ` ${shorten(reason.words)}`} runs another program or loads code`
    case 'mayBeOption':
      return `an argument of ${reason.program}${reason.word === '' ? '' : ` (\`${shorten(reason.word)}…\`)`} is known only at run time and may be an option that runs another program`
    case 'directory':
      return reason.path === ''
        ? 'the target of `cd` is known only at run time'
        : `\`${shorten(reason.path)}\` is outside the project`
    case 'noRule':
      return 'no allow rule covers it, and nobody is there to ask'
    case 'moved':
      return 'after `cd`, the path in the rule names another program'
    case 'takenBack':
      return 'a later option overrides an option that the rule requires'
    case 'mayContainCommand':
      return 'it may run commands that the command line does not show'
    case 'reachesOutside': {
      const tool = reason.access === 'read' ? 'Read' : 'Edit'
      return `${reason.path} is outside the working directories, and no ${tool} rule covers it`
    }
    case 'stated':
      return reason.text
  }
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

const REDIRECTS: Readonly<Record<RedirectProblemKind, string>> = {
  descriptor: 'it needs a plain descriptor number',
  unknown: 'its target may be no file, or several',
  dynamic: 'its target is known only at run time',
  network: 'it opens a network connection',
  climbs: 'its target has `..` after a symbolic link',
  document: 'a here-document of an unusual form',
  lost: 'its target is relative, and the current directory is unknown after `cd`',
}

/** What would work instead, as whole sentences; empty if there is no useful advice. */
export function adviceOn(reason: Reason): string {
  switch (reason.code) {
    case 'longLine':
      return 'Write a script file and run that.'
    case 'controlCharacter':
    case 'brokenUnicode':
      return 'Write the character as an escape.'
    case 'hashAfterParenthesis':
      return 'Put a space between them.'
    case 'syntax':
    case 'hidden':
    case 'construct':
      return 'Split it into simple commands.'
    case 'word':
      return reason.what === 'tilde' ? 'Write the whole path.' : 'Write the words out, or put them in single quotes.'
    case 'arithmetic':
      return 'Compare with `[ … ]`, which does no arithmetic, or use a variable that the command line sets to a number.'
    case 'unknownCommand':
      return 'Write the name of the program.'
    case 'unseenCommands':
      return 'Put the commands into the command line itself.'
    case 'variable':
      return 'Leave out the assignment, or set the variable for every command with `env: { set: … }` in the policy.'
    case 'redirect':
      return 'Use a literal, absolute path.'
    case 'changesHow':
      return 'Run the command without it.'
    case 'starts':
      return 'Only a rule that spells out these words allows it.'
    case 'mayBeOption':
      return 'Put `--` before it, or begin it with `./`.'
    case 'directory':
      return 'Stay in the project, or use a rule for `cd`.'
    case 'moved':
      return 'Run it without `cd`.'
    case 'takenBack':
      return 'Leave out that option.'
    case 'mayContainCommand':
      return 'Write out the commands with literal names.'
    case 'reachesOutside':
      return 'It needs a rule such as `Read(//folder/**)`.'
    case 'emptyLine':
    case 'noCommand':
    case 'noRule':
    case 'stated':
      return ''
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
