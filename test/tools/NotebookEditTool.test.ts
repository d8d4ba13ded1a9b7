import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { NotebookEditTool } from '../../src/tools/NotebookEditTool/NotebookEditTool.ts'
import { NotebookReadTool } from '../../src/tools/NotebookReadTool/NotebookReadTool.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

// Laid out as nbformat does; with numbers and escapes that a rewrite would change.
const FIRST = `  {
   "cell_type": "markdown",
   "id": "aaaa1111",
   "metadata": {"scale": 1.0, "x": 1e5},
   "source": [
    "# T\\u00eftle\\n",
    "text"
   ]
  }`
const SECOND = `  {
   "cell_type": "code",
   "execution_count": 7,
   "id": "bbbb2222",
   "metadata": {},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "old output\\n"
     ]
    }
   ],
   "source": [
    "print(1)"
   ]
  }`
const TAIL = `
 ],
 "metadata": {"kernelspec": {"name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`
const NOTEBOOK = `{\n "cells": [\n${FIRST},\n${SECOND}${TAIL}`

let context: TestContext
let file = ''
const edit = (more: Record<string, unknown>) =>
  runTool(NotebookEditTool, { notebook_path: 'a.ipynb', new_source: '', ...more }, context)
const open = async (text: string) => {
  writeFileSync(file, text)
  await runTool(NotebookReadTool, { notebook_path: 'a.ipynb' }, context)
}
const now = () => readFileSync(file, 'utf8')
const cells = () => (JSON.parse(now()) as { cells: Record<string, unknown>[] }).cells

beforeEach(async () => {
  context = createToolContext()
  file = join(context.cwd, 'a.ipynb')
  await open(NOTEBOOK)
})

describe('NotebookEdit', () => {
  test('replaces a source, removes its output, and keeps the rest', async () => {
    const { text } = await edit({ cell_id: 'bbbb2222', new_source: 'x = "ü"\nprint(x)\n' })
    expect(text).toBe(`Replaced cell bbbb2222 in ${file}.`)
    const changed = SECOND.replace(/"execution_count": 7/, '"execution_count": null')
      .replace(/"outputs": \[[\s\S]*?\n {3}\]/, '"outputs": []')
      .replace('    "print(1)"', '    "x = \\"ü\\"\\n",\n    "print(x)\\n"')
    expect(now()).toBe(`{\n "cells": [\n${FIRST},\n${changed}${TAIL}`)
  })

  test('inserts after a cell, or at the start', async () => {
    expect(await edit({ edit_mode: 'insert', cell_id: 'aaaa1111', cell_type: 'code', new_source: '2' })).toMatchObject({
      isError: false,
    })
    expect(await edit({ edit_mode: 'insert', cell_type: 'markdown', new_source: 'hello\nyou' })).toMatchObject({
      isError: false,
    })
    expect(cells().map((cell) => cell['source'])).toEqual([
      ['hello\n', 'you'],
      ['# Tïtle\n', 'text'],
      ['2'],
      ['print(1)'],
    ])
    const [first, , third] = cells()
    expect(first).toEqual({
      cell_type: 'markdown',
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      metadata: {},
      source: expect.anything(),
    })
    expect(third).toMatchObject({ cell_type: 'code', execution_count: null, outputs: [], metadata: {} })
    expect(now()).toContain(`,\n${FIRST},\n  {\n   "cell_type": "code",`)
    expect(now().endsWith(`,\n${SECOND}${TAIL}`)).toBe(true)
  })

  test.each([
    ['aaaa1111', `{\n "cells": [\n${SECOND}${TAIL}`],
    ['cell-1', `{\n "cells": [\n${FIRST}${TAIL}`],
  ])('deletes %s', async (cell_id, expected) => {
    await edit({ edit_mode: 'delete', cell_id })
    expect(now()).toBe(expected)
  })

  test('deletes the last and fills an empty notebook again', async () => {
    await edit({ edit_mode: 'delete', cell_id: 'aaaa1111' })
    await edit({ edit_mode: 'delete', cell_id: 'bbbb2222' })
    expect(cells()).toEqual([])
    await edit({ edit_mode: 'insert', cell_type: 'markdown', new_source: 'a' })
    expect(cells()).toMatchObject([{ source: ['a'] }])
    expect(now()).toMatch(/^\{\n "cells": \[\n {2}\{\n {3}"cell_type": "markdown",\n[\s\S]*\n {2}\}\n \],\n "metadata"/)
  })

  test('changes the type of a cell', async () => {
    await edit({ cell_id: 'bbbb2222', cell_type: 'markdown', new_source: 'now text' })
    await edit({ cell_id: 'aaaa1111', cell_type: 'code', new_source: '1' })
    expect(cells()).toEqual([
      {
        cell_type: 'code',
        id: 'aaaa1111',
        metadata: { scale: 1, x: 100000 },
        source: ['1'],
        execution_count: null,
        outputs: [],
      },
      { cell_type: 'markdown', id: 'bbbb2222', metadata: {}, source: ['now text'] },
    ])
  })

  test('keeps CRLF, one-line files and sources written as one string', async () => {
    await open(NOTEBOOK.replaceAll('\n', '\r\n'))
    await edit({ cell_id: 'bbbb2222', new_source: 'a\nb' })
    expect(now().replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    await open(
      '{"cells":[{"cell_type":"raw","source":"a"},{"cell_type":"code","source":"b","outputs":[]}],"nbformat":4}',
    )
    await edit({ cell_id: 'cell-1', new_source: 'c\nd' })
    await edit({ edit_mode: 'insert', cell_id: 'cell-0', cell_type: 'markdown', new_source: 'm' })
    expect(now()).toBe(
      '{"cells":[{"cell_type":"raw","source":"a"},{"cell_type":"markdown","metadata":{},"source":["m"]},' +
        '{"cell_type":"code","source":"c\\nd","outputs":[],"execution_count":null}],"nbformat":4}',
    )
  })

  test.each([
    [{ cell_id: 'nope' }, /There is no cell nope\. The cells: aaaa1111, bbbb2222\./],
    [{ cell_id: 'cell-9' }, /There is no cell cell-9/],
    [{}, /cell_id is missing/],
    [{ edit_mode: 'insert' }, /cell_type is missing/],
    [{ cell_id: 'aaaa1111', new_source: undefined }, /new_source is missing/],
    [{ cell_id: 'aaaa1111', new_source: '[REDACTED:KEY]' }, /REDACTED/],
    [{ notebook_path: 'a.txt' }, /must end in \.ipynb/],
    [{ notebook_path: 'b.ipynb' }, /does not exist/],
  ])('refuses %j', async (more, message) => {
    const { isError, text } = await edit(more)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
    expect(now()).toBe(NOTEBOOK)
  })

  test('deletes without a new source, and refuses an ambiguous id', async () => {
    await open(NOTEBOOK.replaceAll('bbbb2222', 'aaaa1111'))
    expect((await edit({ cell_id: 'aaaa1111' })).text).toBe(
      '2 cells have the id aaaa1111; name one as cell-0 or cell-1',
    )
    await edit({ cell_id: 'cell-0', edit_mode: 'delete', new_source: undefined })
    expect(JSON.parse(now()).cells).toEqual(JSON.parse(NOTEBOOK.replaceAll('bbbb2222', 'aaaa1111')).cells.slice(1))
  })

  test('requires another read of a changed notebook', async () => {
    writeFileSync(file, NOTEBOOK.replace('print(1)', 'print(2)'))
    expect((await edit({ cell_id: 'bbbb2222', new_source: 'x' })).text).toMatch(/changed on disk/)
  })
})
