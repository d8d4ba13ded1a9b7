import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { WriteTool } from '../../src/tools/WriteTool/WriteTool.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
const at = (name: string) => join(context.cwd, name)
const write = (file_path: string, content: string) => runTool(WriteTool, { file_path, content }, context)
const read = (file_path: string, more: Record<string, unknown> = {}) =>
  runTool(ReadTool, { file_path, ...more }, context)

beforeEach(() => {
  context = createToolContext()
})

describe('Write', () => {
  test.each([
    ['outside', '../x', /outside/],
    ['through a link', 'link/x', /outside/],
    ['through a dangling link', 'dangling', /outside/],
    ['a folder', 'folder', /is a folder/],
    ['a file with a second name outside', 'twin', /hard links/],
    ['/dev/null', '/dev/null', /never opened/],
  ])('refuses %s', async (_name, path, message) => {
    mkdirSync(at('folder'))
    mkdirSync(join(context.base, 'outside'))
    writeFileSync(join(context.base, 'outside/real'), 'old')
    symlinkSync('../outside', at('link'))
    symlinkSync('../outside/new', at('dangling'))
    linkSync(join(context.base, 'outside/real'), at('twin'))
    await read('twin')
    const { isError, text } = await write(path, 'x')
    expect(isError).toBe(true)
    expect(text).toMatch(message)
    expect(readdirSync(join(context.base, 'outside'))).toEqual(['real'])
    expect(readFileSync(join(context.base, 'outside/real'), 'utf8')).toBe('old')
  })

  test('says so if texts differ too much for a diff', async () => {
    const lines = (prefix: string) =>
      Array.from({ length: 20_000 }, (_, index) => `${prefix} ${index * 7919}`).join('\n')
    await write('a', lines('old'))
    const { data } = await write('a', lines('new'))
    expect(data && WriteTool.renderResult?.(data, {} as never)).toBe('rewritten (20000 lines before, 20000 now)')
  })
})
