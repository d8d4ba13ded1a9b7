/** The project that both programs work on, by path. */
export const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'one\ntwo\nthree\n',
  'dup.txt': 'same\nsame\nother\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'empty.txt': '',
  'no-end.txt': 'last line without an end',
  'unread.txt': 'never read\n',
  'curly.txt': 'say \u201chello\u201d to all\n',
  'spaces.py': 'def f():\n    if True:\n        return 1\n',
  'long.txt': `${Array.from({ length: 3000 }, (_, at) => `line ${at + 1}`).join('\n')}\n`,
  'wide.txt': `${'x'.repeat(5000)}\n`,
  'src/index.ts': "import { b } from './b.ts'\n\nexport const index = b + 1\n",
  'src/b.ts': 'export const b = 41\n// TODO: more\n',
  'src/deep/c.ts': 'export const c = 3\n',
  'src/deep/c.test.ts': 'test("c", () => {})\n',
  'name with space.txt': 'spaced\n',
  'book.ipynb': JSON.stringify({
    cells: [
      { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title\n'] },
      { cell_type: 'code', id: 'sum', metadata: {}, execution_count: 1, outputs: [], source: ['1 + 1'] },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
}
