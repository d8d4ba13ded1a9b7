import { expect, test } from 'vitest'
import { LSTool } from '../../src/tools/LSTool/LSTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

/** A context with so many folders of so many files. */
function makeTree(folders: number, each: number) {
  const context = createToolContext()
  for (let index = 0; index < folders * each; index += 1)
    context.put({ [`d${Math.floor(index / each)}/f${index}`]: '' })
  return context
}

test('LS asks neither for more files than fit, nor for rules that are not there', async () => {
  let asked = 0
  const opened: string[] = []
  const { files, ...context } = makeTree(500, 2)
  const { text } = await runTool(
    LSTool,
    { path: '.' },
    {
      ...context,
      mayRead: () => ++asked > 0,
      files: { ...files, read: (path, ...more) => files.read(path, ...more).finally(() => opened.push(path)) },
    },
  )
  expect(text).toContain('d499/')
  expect(asked).toBe(1)
  expect(opened).toEqual([])
})

test('LS shows upper levels first when there is too much', async () => {
  const { text, data } = await runTool(LSTool, { path: '.' }, makeTree(10, 90))
  expect(data?.entries).toHaveLength(10)
  expect(data?.truncated).toBe(true)
  expect(text).toMatch(/deeper folders are not shown/)
})
