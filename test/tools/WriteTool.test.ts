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
  test('creates a file with its folders, then replaces it', async () => {
    expect(await write('a/b.txt', 'one\n')).toMatchObject({
      isError: false,
      data: { type: 'create', originalFile: null },
    })
    expect(readFileSync(at('a/b.txt'), 'utf8')).toBe('one\n')
    const { data, text } = await write('a/b.txt', 'one\ntwo\n')
    expect(text).toBe(`Wrote ${at('a/b.txt')} (+1 -0 lines).`)
    expect(data && WriteTool.renderResult?.(data, {} as never)).toBe('```diff\n@@ -1,1 +1,2 @@\n one\n+two\n```')
    expect(readdirSync(at('a'))).toEqual(['b.txt'])
  })

  test('does not overwrite what was not read, or changed since', async () => {
    writeFileSync(at('a'), 'one')
    expect((await write('a', 'x')).text).toMatch(/Read it first/)
    await read('a')
    writeFileSync(at('a'), 'two')
    expect((await write('a', 'x')).text).toMatch(/changed on disk/)
    expect(readFileSync(at('a'), 'utf8')).toBe('two')
    await read('a')
    expect(await write('a', 'x')).toMatchObject({ isError: false })
    expect(readFileSync(at('a'), 'utf8')).toBe('x')
  })

  test('does not overwrite lines that nobody has seen', async () => {
    writeFileSync(at('a'), 'one\ntwo\nthree\nfour\n')
    await read('a', { limit: 2 })
    expect((await write('a', 'x')).text).toMatch(
      /was read in part; Read it from offset 3 to its end first, or change it/,
    )
    await read('a', { offset: 4 })
    expect((await write('a', 'x')).text).toMatch(/from offset 3/)
    expect(readFileSync(at('a'), 'utf8')).toBe('one\ntwo\nthree\nfour\n')
    await read('a', { offset: 2 })
    await read('a', { offset: 1, limit: 1 })
    expect(await write('a', 'x')).toMatchObject({ isError: false })
    writeFileSync(at('b'), 'one\ntwo\n')
    await read('b', { limit: 1 })
    writeFileSync(at('b'), 'two\none\nmore\n')
    await read('b', { offset: 2 })
    expect((await write('b', 'x')).text).toMatch(/from offset 1/)
  })

  test.each([
    ['CRLF', 'a\r\nb\r\n', 'a\r\nc\r\n'],
    ['a BOM', '\ufeffa\nb\n', '\ufeffa\nc\n'],
    ['Latin-1', Buffer.from('\xfc', 'latin1'), 'a\nc\n'],
  ])('keeps %s', async (_name, before, after) => {
    writeFileSync(at('a'), before)
    await read('a')
    await write('a', 'a\nc\n')
    expect(readFileSync(at('a'))).toEqual(Buffer.from(after))
  })

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

  test('refuses a redaction mark', async () => {
    expect(await write('a', 'KEY=[REDACTED:API_KEY]')).toMatchObject({ isError: true, step: 'validate' })
  })

  test('says so if texts differ too much for a diff', async () => {
    const lines = (prefix: string) =>
      Array.from({ length: 20_000 }, (_, index) => `${prefix} ${index * 7919}`).join('\n')
    await write('a', lines('old'))
    const { data } = await write('a', lines('new'))
    expect(data && WriteTool.renderResult?.(data, {} as never)).toBe('rewritten (20000 lines before, 20000 now)')
  })
})
