import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { NotebookReadTool } from '../../src/tools/NotebookReadTool/NotebookReadTool.ts'
import { PNG } from '../helpers/images.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

const output = (data: Record<string, unknown>) => ({ output_type: 'display_data', data })
const CELLS = [
  { cell_type: 'markdown', id: 'intro', source: ['# Title\n', 'text'] },
  {
    cell_type: 'code',
    source: 'plot()\n',
    outputs: [
      { output_type: 'stream', name: 'stdout', text: ['a\n', 'b\n'] },
      output({ 'text/plain': '<Figure>', 'image/png': PNG.toString('base64') }),
      { output_type: 'error', ename: 'ValueError', evalue: 'bad', traceback: ['\u001b[31mTrace\u001b[0m'] },
      { output_type: 'stream', text: 'x'.repeat(50_000) },
    ],
  },
]

let context: TestContext
const read = (more: Record<string, unknown> = {}) =>
  runTool(NotebookReadTool, { notebook_path: 'a.ipynb', ...more }, context)
const put = (value: unknown) => writeFileSync(join(context.cwd, 'a.ipynb'), JSON.stringify(value))

beforeEach(() => {
  context = createToolContext()
  put({ nbformat: 4, cells: CELLS })
})

describe('NotebookRead', () => {
  test('shows cells, outputs and pictures', async () => {
    const { text, content } = await read()
    expect(text).toContain(
      '<cell id="intro" type="markdown">\n# Title\ntext\n</cell>\n<cell id="cell-1" type="code">\nplot()\n',
    )
    expect(text).toContain('<output>\na\nb\n<Figure>\n(image/png)\nValueError: bad\nTrace\n')
    expect(text.length).toBeLessThan(12_000)
    expect(content).toContainEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') },
    })
  })

  test('shows one cell by id or position', async () => {
    expect((await read({ cell_id: 'intro' })).text).toBe('<cell id="intro" type="markdown">\n# Title\ntext\n</cell>')
    expect((await read({ cell_id: 'cell-0' })).text).toMatch(/^<cell id="intro"/)
    expect(await read({ cell_id: 'x' })).toMatchObject({
      isError: true,
      text: 'There is no cell x. The cells: intro, cell-1.',
    })
  })

  test.each([
    [{ nbformat: 3, worksheets: [] }, /not a notebook of format 4: nbformat/],
    [{ nbformat: 4, cells: [{ cell_type: 'code' }] }, /cells\.0\.source/],
    ['text', /not a notebook/],
  ])('says what is wrong with %j', async (value, message) => {
    put(value)
    expect(await read()).toMatchObject({ isError: true, text: expect.stringMatching(message) })
  })

  test('handles an empty notebook, a broken one, and a missing one', async () => {
    put({ nbformat: 4, cells: [] })
    expect((await read()).text).toBe('(the notebook has no cells)')
    writeFileSync(join(context.cwd, 'a.ipynb'), '{')
    expect((await read()).text).toMatch(/JSON is broken/)
    expect((await read({ notebook_path: 'b.ipynb' })).text).toMatch(/does not exist/)
  })
})
