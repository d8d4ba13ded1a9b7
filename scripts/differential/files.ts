import { PDFDocument } from '@cantoo/pdf-lib'
import { PNG } from '../../test/helpers/images.ts'

const lines = (count: number, line: (at: number) => string) =>
  `${Array.from({ length: count }, (_, at) => line(at + 1)).join('\n')}\n`

const notebook = (cells: readonly object[]) =>
  JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 })

const CODE = { cell_type: 'code', metadata: {}, execution_count: 1 }

async function pdf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  for (let page = 1; page <= pages; page++) document.addPage([200, 100]).drawText(`page ${page}`)
  return document.save()
}

/** The project that both programs work on, by path. */
export const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'a.txt': 'one\ntwo\nthree\n',
  'dup.txt': 'same\nsame\nother\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'bom.txt': '\uFEFFfirst\nsecond\n',
  'utf16.txt': Buffer.from('\uFEFFwide\ntext\n', 'utf16le'),
  'latin1.txt': Buffer.from('plain caf\u00e9\n', 'latin1'),
  'tabs.txt': '\ttab\n\t\ttwo tabs\n',
  'emoji.txt': 'a smile 😀\n',
  'blank.txt': '\n\ntext  \n\n',
  'empty.txt': '',
  'no-end.txt': 'last line without an end',
  'unread.txt': 'never read\n',
  'curly.txt': 'say \u201chello\u201d to all\nit\u2019s late\n',
  'spaces.py': 'def f():\n    if True:\n        return 1\n',
  'long.txt': lines(3000, (at) => `line ${at}`),
  'wide.txt': `${'x'.repeat(5000)}\n`,
  'huge.txt': lines(12_000, (at) => `row ${at} ${'-'.repeat(20)}`),
  'data.bin': Buffer.from([0, 1, 2, 3, 255, 254, ...Buffer.from('binary'), 0, 10]),
  'red.png': PNG,
  'broken.png': 'this is no image\n',
  'two.pdf': await pdf(2),
  'broken.pdf': 'this is no PDF\n',
  '.hidden.txt': 'hidden words\n',
  '.gitignore': '*.log\n',
  'debug.log': 'ignored words\n',
  'dash.txt': 'a -dash\ninterface{}\nfunction {\n',
  'src/index.ts': "import { b } from './b.ts'\n\nexport const index = b + 1\n",
  'src/b.ts': 'export const b = 41\n// TODO: more\n',
  'src/deep/c.ts': 'export const c = 3\n',
  'src/deep/c.test.ts': 'test("c", () => {})\n',
  'name with space.txt': 'spaced\n',
  'book.ipynb': notebook([
    { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title\n'] },
    { ...CODE, id: 'sum', outputs: [], source: ['1 + 1'] },
  ]),
  'outputs.ipynb': notebook([
    {
      ...CODE,
      id: 'text',
      source: 'print(1)',
      outputs: [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }],
    },
    {
      ...CODE,
      id: 'failed',
      source: '1 / 0',
      outputs: [
        { output_type: 'error', ename: 'ZeroDivisionError', evalue: 'division by zero', traceback: ['line 1'] },
      ],
    },
    {
      ...CODE,
      id: 'picture',
      source: 'show()',
      outputs: [
        {
          output_type: 'display_data',
          metadata: {},
          data: { 'image/png': Buffer.from(PNG).toString('base64'), 'text/plain': ['<Figure>'] },
        },
      ],
    },
  ]),
  'broken.ipynb': '{ "cells": [',
  '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: greets somebody\n---\nSay hello to $ARGUMENTS.\n',
}
