import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { LSTool } from '../../src/tools/LSTool/LSTool.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
const put = (...names: readonly string[]) => {
  for (const name of names) {
    mkdirSync(dirname(join(context.cwd, name)), { recursive: true })
    writeFileSync(join(context.cwd, name), '')
  }
}
const list = (path: string, ignore?: readonly string[]) =>
  runTool(LSTool, ignore ? { path, ignore } : { path }, context)

beforeEach(() => {
  context = createToolContext()
})

describe('LS', () => {
  test('asks neither for more files than fit, nor for rules that are not there', async () => {
    put(...Array.from({ length: 500 }, (_, folder) => [`d${folder}/a`, `d${folder}/b`]).flat())
    let asked = 0
    const opened: string[] = []
    const { files } = context
    context = {
      ...context,
      mayRead: () => ++asked > 0,
      files: { ...files, read: (path, ...more) => files.read(path, ...more).finally(() => opened.push(path)) },
    }
    expect((await list('.')).text).toContain('d499/')
    expect(asked).toBe(1)
    expect(opened).toEqual([])
  })

  test('shows upper levels first when there is too much', async () => {
    for (let folder = 0; folder < 10; folder += 1)
      put(...Array.from({ length: 90 }, (_, index) => `d${folder}/f${index}`))
    const { text, data } = await list('.')
    expect(data?.entries).toHaveLength(10)
    expect(data?.truncated).toBe(true)
    expect(text).toMatch(/deeper folders are not shown/)
  })
})
