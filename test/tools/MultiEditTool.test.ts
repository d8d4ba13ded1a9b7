import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { MultiEditTool } from '../../src/tools/MultiEditTool/MultiEditTool.ts'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
let file = ''
const edit = (...edits: readonly (readonly [string, string, boolean?])[]) =>
  runTool(
    MultiEditTool,
    {
      file_path: 'a.txt',
      edits: edits.map(([old_string, new_string, replace_all]) => ({ old_string, new_string, replace_all })),
    },
    context,
  )

beforeEach(async () => {
  context = createToolContext()
  file = join(context.cwd, 'a.txt')
  writeFileSync(file, 'one\r\ntwo\r\none\r\n')
  await runTool(ReadTool, { file_path: file }, context)
})

describe('MultiEdit', () => {
  test('applies each edit to the result of the one before', async () => {
    const { text, data } = await edit(['two', 'zwei\ndrei'], ['drei', 'three'], ['one', '1', true])
    expect(text).toBe(`Applied 3 edits to ${file} (+4 -3 lines).`)
    expect(readFileSync(file, 'utf8')).toBe('1\r\nzwei\r\nthree\r\n1\r\n')
    expect(data?.originalFile).toBe('one\r\ntwo\r\none\r\n')
  })

  test('counts one edit as one', async () => {
    expect((await edit(['two', '2'])).text).toMatch(/^Applied 1 edit to /)
  })

  test.each([
    [/edit 2 of 2: old_string was not found/, ['two', '2'], ['nine', '9']],
    [/edit 1 of 2: old_string was found 2 times/, ['one', '1'], ['two', '2']],
    [/edit 2: old_string and new_string are the same/, ['two', '2'], ['x', 'x']],
    [/edit 2: only the first/, ['two', '2'], ['', 'x']],
    [/edit 1: new_string holds a \[REDACTED/, ['two', '[REDACTED:KEY]'], ['one', '1']],
  ] as const)('does nothing if one edit does not apply: %s', async (message, first, second) => {
    const { isError, text } = await edit(first, second)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
    expect(readFileSync(file, 'utf8')).toBe('one\r\ntwo\r\none\r\n')
  })

  test('creates a file', async () => {
    const input = {
      file_path: 'new/b',
      edits: [
        { old_string: '', new_string: 'ab' },
        { old_string: 'b', new_string: 'c' },
      ],
    }
    expect(await runTool(MultiEditTool, input, context)).toMatchObject({ isError: false })
    expect(readFileSync(join(context.cwd, 'new/b'), 'utf8')).toBe('ac')
  })

  test('creates none if a later edit does not apply', async () => {
    const input = {
      file_path: 'b',
      edits: [
        { old_string: '', new_string: 'ab' },
        { old_string: 'x', new_string: 'c' },
      ],
    }
    expect(await runTool(MultiEditTool, input, context)).toMatchObject({ isError: true })
    expect(existsSync(join(context.cwd, 'b'))).toBe(false)
  })
})
