import type { Played } from './play.ts'

/** Differences that stay, by their reason: those of these inputs, or all of which a function says so. */
export type Left = {
  readonly reason: string
  readonly inputs?: readonly string[]
  readonly explains?: (theirs: Played, ours: Played) => boolean
}

const isUnchanged = ({ changed }: Played) => Object.keys(changed).length === 0
const isSameChange = (theirs: Played, ours: Played) => JSON.stringify(theirs.changed) === JSON.stringify(ours.changed)
const withoutLastNumber = (text: string) => text.replace(/\n\d+$/, '').trim()

/** A row that names the input is printed, else the first whose function fits. */
export const LEFT: readonly Left[] = [
  {
    reason: 'theirs number a line after the last line end, which the file does not have',
    explains: (theirs, ours) => withoutLastNumber(theirs.text) === ours.text,
  },
  {
    reason: 'ours say which lines these are and where to go on, so that the next call needs no guess',
    explains: (theirs, ours) => withoutLastNumber(theirs.text) === ours.text.replace(/\n\(lines? [^\n]*\)$/, ''),
  },
  {
    reason: 'ours count the changed lines, so that an edit of too much is seen',
    explains: (theirs, ours) =>
      /^(?:The file|File created)/.test(theirs.text) &&
      /^(?:Edited|Created|Wrote) .* lines?\)\.(?: It had changed on disk [^\n]*)?$/.test(ours.text) &&
      isSameChange(theirs, ours),
  },
  {
    reason: 'the exit code is the last line, where the end of a long output is read, with its meaning where it has one',
    explains: (theirs, ours) => exitLast(theirs.text) === ours.text.replace(/^(Exit code \d+) \(.*\)$/m, '$1'),
  },
  {
    reason: 'ours say the exit code where there is no output or where it has a meaning',
    explains: (theirs, ours) =>
      theirs.text.replace('(Bash completed with no output)', '') ===
      ours.text.replace(/\n?(?:\(no output, exit code 0\)|Exit code 1 \(.*\))$/, ''),
  },
  {
    reason:
      'the same answer; ours leave out what the agent cost, which the run counts, and say what became of a worktree',
    explains: (theirs, ours) =>
      /^ok\nagentId: ID /.test(theirs.text) && /^ok\n\n(?:Its worktree .*\n\n)?\(agentId: ID\. /.test(ours.text),
  },
  {
    reason: 'theirs show the whole path on lines of context, or cut into the line; ours the path from the root',
    explains: (theirs, ours) => theirs.text.replace(/(?:ROOT\/)(?=\S+-\d+-)/g, '') === ours.text,
  },
  {
    reason: 'ours begin each line of a search with its file, also where there is only one',
    explains: (theirs, ours) => theirs.text === ours.text.replaceAll(/^[\w.-]+(?:\/[\w.-]+)*:(?=\d+:)/gm, ''),
  },
  {
    reason: 'a cut search: ours begin each line with its file, and say by which offset it goes on',
    inputs: ['Grep: grep with a limit', 'Grep: grep with an offset', 'Grep: grep beyond the default limit'],
  },
  {
    reason: 'theirs show nothing of a long line; ours its first 500 characters',
    inputs: ['Grep: grep a long line'],
  },
  {
    reason: 'theirs cut the text of a line of context by two characters',
    inputs: ['Grep: grep with lines after'],
  },
  {
    reason: 'theirs refuse to show a file again; after a compaction the model may need it, so ours show it',
    inputs: ['Read: read it again', 'Read: read by a relative path'],
  },
  {
    reason: 'lines are counted from 1: 0 means the first one, and a negative one or none at all is refused',
    inputs: ['Read: read from line 0', 'Read: read from a negative line', 'Read: read 0 lines'],
  },
  {
    reason: 'null for what is optional is taken as not given',
    inputs: ['Read: read with null for what is optional'],
  },
  {
    reason:
      'a file is shown by 2,000 lines, and a line by 2,000 characters: the rest is one call away, and ours say which',
    inputs: ['Read: read 3000 lines', 'Read: read a long line'],
  },
  {
    reason: 'theirs are empty, which a model may take for a failed call; ours say why there is nothing',
    inputs: ['Read: read beyond the end', 'Read: read an empty file'],
  },
  {
    reason: 'ours read and keep UTF-16 and Latin-1; theirs show marks and write them into the file',
    inputs: ['Read: read UTF-16', 'Read: read Latin-1', 'Edit: edit Latin-1'],
  },
  {
    reason: 'ours send the PDF, or its pages, in the result itself, and need no program for that',
    inputs: ['Read: read a PDF', 'Read: read one page of a PDF'],
  },
  {
    reason: 'ours go by the content of a file: a text is shown, whatever its name',
    inputs: ['Read: read a broken PDF'],
  },
  {
    reason: 'ours name the type of every cell and of its outputs, and close them as XML does',
    inputs: ['Read: read a notebook', 'Read: read a notebook with outputs'],
  },
  {
    reason: 'theirs cut blanks at the end of the new text; ours write what was given',
    inputs: ['Edit: edit a part that was read'],
  },
  {
    reason: 'a notebook keeps the form of its JSON; theirs write it anew',
    explains: (theirs, ours) => 'book.ipynb' in theirs.changed && 'book.ipynb' in ours.changed,
  },
  {
    reason: 'the file keeps its line ends, whichever the text of the call has',
    inputs: ['Edit: edit CRLF by CRLF', 'Write: write over CRLF'],
  },
  {
    reason: 'theirs have no such tool, or not here',
    inputs: [
      'MultiEdit: several edits in one call',
      'LS: list a folder',
      'TodoWrite: write a list',
      'ToolSearch: look for a tool',
    ],
  },
  {
    reason: 'ours show what a command changed in a file that was read, so that it need not be read again',
    explains: (_theirs, ours) => ours.text.startsWith('This command changed files that you have read:'),
  },
  {
    reason:
      'each command starts in the project root, so that a rule means the same path in every call; a bare cd says so',
    inputs: ['Bash: a bare cd', 'Bash: where the next one starts', 'Bash: back to the start'],
  },
  {
    reason: 'ours show the end as well: the error of a long build stands there',
    inputs: ['Bash: long output', 'Bash: long output on stderr', 'Bash: one long line'],
  },
  {
    reason: 'ours leave out escape sequences, which say nothing to a model',
    inputs: ['Bash: colors'],
  },
  {
    reason: 'a command that reaches its time limit is ended: nobody would look after it in a run that ends',
    inputs: ['Bash: a timeout'],
  },
  {
    reason: 'theirs refuse & in a command; ours end the process with its call, as the description says',
    inputs: ['Bash: a process left behind'],
  },
  {
    reason: 'ours are read by BashOutput, which is told; theirs by a file outside of the project',
    inputs: [
      'Bash: a command in the background',
      'Bash: a long command in the background',
      'TaskOutput: its output',
      'TaskOutput: a look at it',
      'TaskStop: its end',
    ],
  },
  {
    reason: 'nothing to run or to search for is a mistake of the call, and ours say so',
    inputs: ['Bash: no command', 'Grep: grep nothing'],
  },
  {
    reason: 'a call that only reads runs without the field and says so; one that has effects is refused here too',
    inputs: ['Bash: an unknown field', 'Read: an unknown field'],
  },
  {
    reason: 'a number where a text is wanted is taken as that text',
    inputs: ['Read: a field of the wrong type'],
  },
  {
    reason: 'Grep counts lines, and ours say lines; theirs say occurrences',
    inputs: ['Grep: grep counts', 'Grep: grep counts of one file', 'Grep: grep counts without a match'],
  },
  {
    reason: 'theirs say that nothing was found, where the expression or the type is not valid, or is valid for ours',
    inputs: [
      'Grep: grep with a bad expression',
      'Grep: grep by an unknown type',
      'Grep: grep braces that are not escaped',
      'Grep: grep with a look-behind',
      'Grep: grep over lines without saying so',
    ],
  },
  {
    reason: 'newest first, as the description says',
    explains: (theirs, ours) => sorted(theirs.text) === sorted(ours.text),
  },
  {
    reason: 'a pattern with a slash matches from its folder on; theirs match an absolute one at every depth',
    inputs: ['Glob: glob by an absolute pattern'],
  },
  {
    reason: 'ours leave out what .gitignore names, as the description says, and name it where nothing else is found',
    inputs: ['Glob: glob what git ignores'],
  },
  {
    reason: 'ours refuse to look where no rule allows it; theirs find nothing there',
    inputs: ['Glob: glob above the project'],
  },
  {
    reason: 'the same state of the list in other words: ours show the new state, and what a removed task was',
    inputs: [
      ...['TaskCreate: create a task', 'TaskCreate: create another with metadata', 'TaskUpdate: start it'],
      ...['TaskUpdate: let one wait for the other', 'TaskGet: look at one', 'TaskList: look at all'],
      ...['TaskUpdate: end it', 'TaskUpdate: remove one', 'TaskList: look again', 'TaskGet: look at one that is gone'],
    ],
  },
  {
    reason: 'ours say by is_error that nothing was done',
    inputs: ['TaskUpdate: an unknown task', 'SendMessage: tell nobody'],
  },
  {
    reason: 'theirs ask a service about the domain first; ours ask the policy',
    inputs: ['WebFetch: fetch a loopback page'],
  },
  {
    reason: 'ours give the text of the skill in the result; theirs in a message after it',
    inputs: ['Skill: use a skill', 'Skill: use a skill with arguments', 'Skill: use a skill with a slash'],
  },
  {
    reason: 'both refuse and change nothing; ours name the file, the fields, or what helps, and have no tags',
    explains: (theirs, ours) => theirs.isError && ours.isError && isUnchanged(theirs) && isUnchanged(ours),
  },
]

/** Their text with the exit code at its end, and bash by its name. */
function exitLast(text: string): string {
  const [, code, rest = ''] = /^(Exit code \d+)(?:\n([\s\S]*))?$/.exec(text.replaceAll('/bin/bash:', 'bash:')) ?? []
  return code === undefined ? text : [rest, code].filter((part) => part !== '').join('\n')
}

function sorted(text: string): string {
  return text.split('\n').sort().join('\n')
}
