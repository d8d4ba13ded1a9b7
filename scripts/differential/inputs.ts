/** One call that the model makes of either program; `ROOT` stands for the project. */
export type Input = {
  readonly name: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** The lines come in the order in which threads end: compared as a set. */
  readonly isUnordered?: true
}

const read = (name: string, file: string, more = {}): Input => ({
  name,
  tool: 'Read',
  input: { file_path: `ROOT/${file}`, ...more },
})
const edit = (name: string, file: string, from: string, to: string, more = {}): Input => ({
  name,
  tool: 'Edit',
  input: { file_path: `ROOT/${file}`, old_string: from, new_string: to, ...more },
})
const write = (name: string, file: string, content: string): Input => ({
  name,
  tool: 'Write',
  input: { file_path: `ROOT/${file}`, content },
})
const bash = (name: string, command: string, more = {}): Input => ({
  name,
  tool: 'Bash',
  input: { command, description: name, ...more },
})
const grep = (name: string, pattern: string, more = {}): Input => ({
  name,
  tool: 'Grep',
  input: { pattern, ...more },
  isUnordered: true,
})
const glob = (name: string, pattern: string, more = {}): Input => ({ name, tool: 'Glob', input: { pattern, ...more } })

/** One after the other in one conversation: what was read stays read, what was changed stays changed. */
export const INPUTS: readonly Input[] = [
  read('read a file', 'a.txt'),
  read('read from an offset', 'a.txt', { offset: 2, limit: 1 }),
  read('read beyond the end', 'a.txt', { offset: 10 }),
  read('read an empty file', 'empty.txt'),
  read('read a missing file', 'missing.txt'),
  read('read a near miss', 'A.txt'),
  read('read a folder', 'src'),
  read('read 3000 lines', 'long.txt'),
  read('read a long line', 'wide.txt'),
  read('read without a last line end', 'no-end.txt'),
  read('read CRLF', 'crlf.txt'),
  read('read a name with a space', 'name with space.txt'),
  read('read a notebook', 'book.ipynb'),
  edit('edit one place', 'a.txt', 'two', 'zwei'),
  edit('edit the same again', 'a.txt', 'two', 'zwei'),
  edit('edit what is the same', 'a.txt', 'one', 'one'),
  edit('edit unread', 'unread.txt', 'never', 'always'),
  read('read two alike', 'dup.txt'),
  edit('edit an ambiguous place', 'dup.txt', 'same', 'new'),
  edit('edit all places', 'dup.txt', 'same', 'new', { replace_all: true }),
  edit('edit CRLF', 'crlf.txt', 'one\ntwo', 'eins\nzwei'),
  read('read curly quotes', 'curly.txt'),
  edit('edit curly quotes by straight ones', 'curly.txt', 'say "hello"', 'say "bye"'),
  read('read indentation', 'spaces.py'),
  edit('edit with wrong indentation', 'spaces.py', 'if True:\n    return 1', 'return 2'),
  edit('edit that makes a file', 'made.txt', '', 'made\n'),
  edit('edit a notebook', 'book.ipynb', '1 + 1', '2 + 2'),
  write('write a new file', 'new/deep.txt', 'deep\n'),
  write('write over an unread file', 'unread.txt', 'new\n'),
  write('write over a read file', 'a.txt', 'all new\n'),
  bash('a command', 'echo hello'),
  bash('both streams', 'echo out; echo err >&2; echo out again'),
  bash('a failing command', 'ls missing-folder'),
  bash('an exit code', 'exit 3'),
  bash('no output', 'true'),
  bash('grep without a match', 'grep nothing a.txt'),
  bash('a bare cd', 'cd src'),
  bash('where the next one starts', 'pwd'),
  bash('back to the start', 'cd ROOT'),
  bash('an unknown program', 'no-such-program'),
  bash('long output', 'seq 1 20000'),
  bash('a change by a command', 'printf "by bash\\n" > a.txt'),
  edit('edit after the change', 'a.txt', 'by bash', 'by edit'),
  bash('a timeout', 'sleep 5', { timeout: 300 }),
  bash('an unknown field', 'echo field', { cwd: '/' }),
  bash('an unknown field with an effect', 'touch field', { cwd: '/' }),
  grep('grep file names', 'export'),
  grep('grep content', 'export', { output_mode: 'content', '-n': true }),
  grep('grep counts', 'export', { output_mode: 'count' }),
  grep('grep with context', 'TODO', { output_mode: 'content', '-C': 1 }),
  grep('grep case', 'todo', { output_mode: 'content', '-i': true }),
  grep('grep by glob', 'test', { glob: '*.test.ts' }),
  grep('grep without a match', 'zzzz'),
  grep('grep with a bad expression', '('),
  glob('glob at every depth', '**/*.ts'),
  glob('glob without a slash', '*.ts'),
  glob('glob one name', 'b.ts'),
  glob('glob in a folder', '*.ts', { path: 'ROOT/src/deep' }),
  glob('glob without a match', '*.rs'),
  { name: 'a tool that there is not', tool: 'Nope', input: {} },
  { name: 'a field that is missing', tool: 'Read', input: {} },
  { name: 'a field of the wrong type', tool: 'Read', input: { file_path: 5 } },
]
