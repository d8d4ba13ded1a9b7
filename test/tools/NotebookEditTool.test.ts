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
})
