import { linkSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { WriteTool } from '../../src/tools/WriteTool/WriteTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

describe('Write', () => {
  test.each([
    ['outside', '../x', /outside/],
    ['through a link', 'link/x', /outside/],
    ['through a dangling link', 'dangling', /outside/],
    ['a file with a second name outside', 'twin', /hard links/],
  ])('refuses %s', async (_name, path, message) => {
    const context = createToolContext()
    const { at, put } = context
    put({ '../outside/real': 'old', link: '-> ../outside', dangling: '-> ../outside/new' })
    linkSync(at('../outside/real'), at('twin'))
    await runTool(ReadTool, { file_path: 'twin' }, context)
    const { isError, text } = await runTool(WriteTool, { file_path: path, content: 'x' }, context)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
    expect(readdirSync(at('../outside'))).toEqual(['real'])
    expect(readFileSync(at('../outside/real'), 'utf8')).toBe('old')
  })

  test('says so if texts differ too much for a diff', async () => {
    const context = createToolContext()
    const write = (word: string) => {
      const content = Array.from({ length: 20_000 }, (_, index) => `${word} ${index * 7919}`).join('\n')
      return runTool(WriteTool, { file_path: 'a', content }, context)
    }
    await write('old')
    const { data } = await write('new')
    expect(data && WriteTool.renderResult?.(data, {} as never)).toBe('rewritten (20000 lines before, 20000 now)')
  })
})
