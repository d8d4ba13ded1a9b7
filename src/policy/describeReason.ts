import type { Reason, RedirectProblemKind, WordProblemKind } from '../contracts/reason.ts'

/** A reason as a part of a sentence: what stands against the call. `adviceOn` says what would work. */
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
      return 'a `#` stands close behind a parenthesis'
    case 'syntax':
      return `it cannot be read as bash: ${reason.problem}`
    case 'noCommand':
      return 'there is no command in it'
    case 'construct':
      return `${reason.what} is not judged`
    case 'word':
      return `${WORDS[reason.what]}${reason.text === '' ? '' : `: \`${reason.text}\``}`
    case 'arithmetic':
      return `\`${reason.text}\` computes with a value that is known only when it runs, and bash runs commands in such a value`
    case 'unknownCommand':
      return `which program \`${reason.text || 'it'}\` runs is known only when it runs`
    case 'unseenCommands':
      return `what \`${reason.program}\` runs cannot be seen in the line`
    case 'variable':
      return `the variable ${reason.name || 'it sets'} decides which programs run`
    case 'redirect':
      return `redirect: ${REDIRECTS[reason.what]}${reason.target === '' ? '' : ` (\`${reason.target}\`)`}`
    case 'hidden':
      return 'it stands in a part of the line that is not judged'
    case 'changesHow':
      return `${reason.program} changes how its command runs`
    case 'starts':
      return `${reason.program}${reason.words === '' ? '' : ` ${shorten(reason.words)}`} runs another program or loads code`
    case 'mayBeOption':
      return `a word of ${reason.program} that is known only when it runs${reason.word === '' ? '' : ` (\`${shorten(reason.word)}…\`)`} may be an option that runs another program`
    case 'directory':
      return reason.path === ''
        ? 'where `cd` leads is known only when it runs'
        : `\`${shorten(reason.path)}\` lies outside the project`
    case 'noRule':
      return 'no allow rule covers it, and nobody is there to ask'
    case 'moved':
      return 'a program named by its place in a rule is another one after `cd`'
    case 'takenBack':
      return 'an option behind those of the rule takes one of them back'
    case 'mayMean':
      return 'commands that cannot be seen may be what the rule is against'
    case 'readsOutside':
      return `${reason.path} lies outside the working directories, and no Read rule covers it`
    case 'stated':
      return reason.text
  }
}

const WORDS: Readonly<Record<WordProblemKind, string>> = {
  braces: 'braces that are not plain lists',
  tilde: 'a `~` that bash may expand to another place',
  pattern: 'an unusual pattern',
  expansion: 'an expansion that can run or assign something',
  escape: 'an unusual escape',
  process: 'a process substitution that is only a part of its word',
  translated: 'a translated string',
}

const REDIRECTS: Readonly<Record<RedirectProblemKind, string>> = {
  descriptor: 'what it copies or opens is not a plain descriptor number',
  unknown: 'its target is known only when it runs',
  network: 'it opens a network connection',
  climbs: 'its target goes up from a link',
  document: 'a here-document of an unusual form',
  lost: 'its target is relative, and the directory is not known after `cd`',
}

/** What would work instead, as sentences of their own; empty where nothing of use can be said. */
export function adviceOn(reason: Reason): string {
  switch (reason.code) {
    case 'longLine':
      return 'Write a script file and run that.'
    case 'controlCharacter':
    case 'brokenUnicode':
      return 'Write the character as an escape.'
    case 'hashAfterParenthesis':
      return 'Put a space between.'
    case 'syntax':
    case 'hidden':
    case 'construct':
      return 'Split it into simple commands.'
    case 'word':
      return reason.what === 'tilde' ? 'Write the whole path.' : 'Write the words out, or put them in single quotes.'
    case 'arithmetic':
      return 'Compare with `[ … ]`, which computes nothing, or use a variable that the line itself sets to a number.'
    case 'unknownCommand':
      return 'Write the name of the program.'
    case 'unseenCommands':
      return 'Write the commands into the line itself.'
    case 'variable':
      return 'Leave the assignment out, or have it set for every command by `env: { set: … }` of the policy.'
    case 'redirect':
      return 'Use a literal, absolute path.'
    case 'changesHow':
    case 'starts':
      return 'Leave that out; else only a rule that spells it covers the command.'
    case 'mayBeOption':
      return 'Put `--` before it, or begin it with `./`.'
    case 'directory':
      return 'Stay in the project, or use a rule for `cd`.'
    case 'moved':
      return 'Do it without `cd`.'
    case 'takenBack':
      return 'Leave that option out.'
    case 'mayMean':
      return 'Write the commands out, with literal names.'
    case 'readsOutside':
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
