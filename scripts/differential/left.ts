/** Differences that stay, by their reason. */
export const LEFT: readonly { readonly reason: string; readonly inputs: readonly string[] }[] = [
  {
    reason: 'theirs number a line after the last line end, which the file does not have',
    inputs: [
      'Read: read a file',
      'Read: read CRLF',
      'Read: read a name with a space',
      'Read: read two alike',
      'Read: read curly quotes',
      'Read: read indentation',
    ],
  },
  {
    reason: 'ours name the type of every cell, and close it as XML does',
    inputs: ['Read: read a notebook'],
  },
  {
    reason:
      'a file is shown by 2,000 lines, and a line by 2,000 characters: the rest is one call away, and ours say which',
    inputs: ['Read: read 3000 lines', 'Read: read a long line', 'Read: read from an offset'],
  },
  {
    reason: 'theirs are empty, which a model may take for a failed call; ours say why there is nothing',
    inputs: ['Read: read beyond the end', 'Read: read an empty file'],
  },
  {
    reason: 'ours name the path, and the tool or the name that helps',
    inputs: ['Read: read a missing file', 'Read: read a near miss', 'Read: read a folder'],
  },
  {
    reason: 'the same refusal; ours name the file and have no tags, since `is_error` says that it is an error',
    inputs: [
      'Edit: edit unread',
      'Write: write over an unread file',
      'Edit: edit what is the same',
      'Edit: edit a notebook',
      'Edit: edit the same again',
      'Edit: edit an ambiguous place',
    ],
  },
  {
    reason: 'ours show the place in the file that differs only in blanks',
    inputs: ['Edit: edit with wrong indentation'],
  },
  {
    reason: 'ours count the changed lines, so that an edit of too much is seen',
    inputs: [
      'Edit: edit one place',
      'Edit: edit all places',
      'Edit: edit CRLF',
      'Edit: edit curly quotes by straight ones',
      'Edit: edit that makes a file',
      'Edit: edit after the change',
      'Write: write a new file',
      'Write: write over a read file',
    ],
  },
  {
    reason: 'the exit code is the last line, where the end of a long output is read, with its meaning where it has one',
    inputs: [
      'Bash: a failing command',
      'Bash: no output',
      'Bash: grep without a match',
      'Bash: an unknown program',
      'Bash: a timeout',
    ],
  },
  {
    reason: 'ours show what a command changed in a file that was read, so that it need not be read again',
    inputs: ['Bash: a change by a command'],
  },
  {
    reason:
      'each command starts in the project root, so that a rule means the same path in every call; a bare cd says so',
    inputs: ['Bash: a bare cd', 'Bash: where the next one starts', 'Bash: back to the start'],
  },
  {
    reason: 'ours show the end as well: the error of a long build stands there',
    inputs: ['Bash: long output'],
  },
  {
    reason: 'ours list the fields or tools that there are',
    inputs: [
      'Bash: an unknown field with an effect',
      'Nope: a tool that there is not',
      'Read: a field that is missing',
    ],
  },
  {
    reason: 'a call that only reads runs without the field and says so; one that has effects is refused here too',
    inputs: ['Bash: an unknown field'],
  },
  {
    reason: 'a number where a text is wanted is taken as that text',
    inputs: ['Read: a field of the wrong type'],
  },
  {
    reason: 'Grep counts lines, and ours say lines; theirs say occurrences',
    inputs: ['Grep: grep counts'],
  },
  {
    reason: 'theirs show the whole path on lines of context, and the path from the root on lines that match',
    inputs: ['Grep: grep with context'],
  },
  {
    reason: 'theirs say that nothing was found, where the expression is not valid',
    inputs: ['Grep: grep with a bad expression'],
  },
  {
    reason: 'newest first, as the description says',
    inputs: ['Glob: glob at every depth', 'Glob: glob without a slash', 'Glob: glob in a folder'],
  },
]
