import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { EditTool } from '../../src/tools/EditTool/EditTool.ts'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
let file = ''
const put = (content: string | Buffer) => writeFileSync(file, content)
const read = () => runTool(ReadTool, { file_path: file }, context)
const edit = (old_string: string, new_string: string, more: Record<string, unknown> = {}) =>
  runTool(EditTool, { file_path: file, old_string, new_string, ...more }, context)

beforeEach(() => {
  context = createToolContext()
  file = join(context.cwd, 'a.txt')
})

describe('Edit', () => {
  test('names the tool for notebooks before it asks for a Read', async () => {
    const run = await runTool(EditTool, { file_path: 'a.ipynb', old_string: 'a', new_string: 'b' }, context)
    expect([run.step, run.text]).toEqual(['validate', 'a.ipynb is a notebook: change one cell of it with NotebookEdit'])
  })

  test('changes the file, keeps its mode, and needs no further Read', async () => {
    put('one\ntwo\nthree\n')
    chmodSync(file, 0o755)
    await read()
    const { text, data, isError } = await edit('two', 'zwei\nzwo')
    expect({ text, isError }).toEqual({ text: `Edited ${file} (+2 -1 lines).`, isError: false })
    expect(readFileSync(file, 'utf8')).toBe('one\nzwei\nzwo\nthree\n')
    expect(statSync(file).mode & 0o777).toBe(0o755)
    expect(data).toMatchObject({
      originalFile: 'one\ntwo\nthree\n',
      structuredPatch: [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 4 }],
    })
    expect(data && EditTool.renderResult?.(data, {} as never)).toBe(
      '```diff\n@@ -1,3 +1,4 @@\n one\n-two\n+zwei\n+zwo\n three\n```',
    )
    expect(await edit('zwei\n', '')).toMatchObject({ isError: false })
    expect(readFileSync(file, 'utf8')).toBe('one\nzwo\nthree\n')
  })

  test('replaces all occurrences on request', async () => {
    put('a b a')
    await read()
    expect((await edit('a', 'x')).text).toMatch(/was found 2 times in \S+a\.txt\. Include more of the lines around it/)
    expect(await edit('a', 'x', { replace_all: 'true' })).toMatchObject({ isError: false })
    expect(readFileSync(file, 'utf8')).toBe('x b x')
  })

  test.each([
    ['missing text', 'nine', /was not found/],
    ['line numbers', '     1\tone', /Leave out the line numbers/],
    ['other blanks', 'one  ', /was not found/],
  ])('says what is wrong: %s', async (_name, old, message) => {
    put('one\ntwo\n')
    await read()
    const { isError, text } = await edit(old, 'x')
    expect(isError).toBe(true)
    expect(text).toMatch(message)
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  })

  test('requires that the file was read first', async () => {
    put('one')
    expect(await edit('one', 'two')).toMatchObject({ isError: true, text: expect.stringMatching(/Read it first/) })
    expect(readFileSync(file, 'utf8')).toBe('one')
  })

  test.each([
    ['same texts', 'a', 'a'],
    ['a mark of a secret', 'a', 'key = [REDACTED:API_KEY]'],
  ])('refuses %s before anything else', async (_name, old, next) => {
    expect(await edit(old, next)).toMatchObject({ isError: true, step: 'validate' })
  })

  test('an empty old_string creates a file, but never overwrites one', async () => {
    expect((await edit('', 'new\n')).text).toBe(`Created ${file} (+1 -0 lines).`)
    expect(await edit('', 'other')).toMatchObject({ isError: true, text: expect.stringMatching(/exists already/) })
    expect(readFileSync(file, 'utf8')).toBe('new\n')
    expect(await edit('new', 'newer')).toMatchObject({ isError: false })
  })

  test('has one write path as its subject', () => {
    expect(EditTool.subjects({ file_path: 'x', old_string: '', new_string: '' }, context)).toEqual([
      { kind: 'path', access: 'write', source: 'tool', path: context.resolvePath('x') },
    ])
  })
})

describe('a file that changed since it was read', () => {
  test('is edited if the text still occurs exactly once', async () => {
    put('one\ntwo\n')
    await read()
    put('zero\none\ntwo\n')
    expect((await edit('two', 'zwei')).text).toMatch(/had changed on disk/)
    expect(readFileSync(file, 'utf8')).toBe('zero\none\nzwei\n')
  })

  test.each([
    ['two', {}],
    ['one', { replace_all: true }],
  ])('is left alone otherwise: %s %j', async (old, more) => {
    put('one\ntwo\n')
    await read()
    put('one\none\n')
    expect((await edit(old, 'x', more)).text).toMatch(/changed on disk since it was read/)
    expect(readFileSync(file, 'utf8')).toBe('one\none\n')
  })

  test('is not created again if it was removed', async () => {
    const other = createToolContext()
    file = join(context.cwd, 'gone')
    context.readFileState.set(file, { mtimeMs: 0, size: 1, sha256: 'x', isWhole: true })
    expect(await edit('a', 'b')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/does not exist; Write makes/),
    })
    expect(existsSync(file)).toBe(false)
    expect(other.readFileState.size).toBe(0)
  })
})

describe('straight quotes', () => {
  test.each([
    [
      'fit curly ones; the new text gets the kind of the file',
      'a\r\nsay(“hi”)\r\n',
      'say("hi")',
      'say("oh", "no")',
      'a\r\nsay(“oh”, “no”)\r\n',
    ],
    ['are an apostrophe inside a word', 'it’s ‘new’\n', "it's 'new'", "that's 'old'", 'that’s ‘old’\n'],
    ['stay where the file has them', '“a” "b"\n', '"b"', '"c"', '“a” "c"\n'],
    ['stay where the replaced piece has none of the kind', '“it”\n', '"it"', `"it's"`, `“it's”\n`],
  ])('%s', async (_name, before, old, fresh, after) => {
    put(before)
    await read()
    expect(await edit(old, fresh)).toMatchObject({ isError: false })
    expect(readFileSync(file, 'utf8')).toBe(after)
  })
})

describe('an old text that is not there', () => {
  test.each([
    [
      'blanks for a tab',
      '\tif (x) {\n\t\ty()\n',
      '    if (x) {\n      y()',
      /The text from line 1 on differs only in spaces or quotes\. The file has:\n\tif \(x\) \{\n\t\ty\(\)$/s,
    ],
    ['a line end too many', 'a\nb', 'b\n', /The text from line 2 on differs/],
    ['line numbers', 'a\n', '     1\ta', /Leave out the line numbers/],
    ['nothing alike', 'a\n', 'zzz', /including all white space\.$/],
    ['nothing', 'a\n\n', '\n\n\n', /including all white space\.$/],
  ])('%s', async (_name, before, old, message) => {
    put(before)
    await read()
    expect(await edit(old, 'X')).toMatchObject({ isError: true, text: expect.stringMatching(message) })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf-16le')
describe('bytes around the edit', () => {
  test.each([
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nX\r\nY\r\nc\r\n'],
    ['mixed line ends', 'a\nb\r\nc\nd\r\n', 'a\nX\r\nY\r\nc\nd\r\n'],
    ['no final newline', 'a\nb', 'a\nX\nY'],
    ['trailing blanks', 'a  \nb\n \t\n', 'a  \nX\nY\n \t\n'],
    ['a BOM', '\ufeffa\nb\n', '\ufeffa\nX\nY\n'],
    ['old Mac line ends', 'a\rb\rc', 'a\rX\nY\rc'],
    ['form feeds and NBSP', '\f\u00a0b\u2028', '\f\u00a0X\nY\u2028'],
    ['UTF-16 LE', utf16('ü\r\nb\r\n'), utf16('ü\r\nX\r\nY\r\n')],
    ['UTF-16 BE', utf16('ü\nb').swap16(), utf16('ü\nX\nY').swap16()],
    ['Latin-1', Buffer.from('\xfc\nb\xe9', 'latin1'), Buffer.from('\xfc\nX\nY\xe9', 'latin1')],
  ])('%s', async (_name, before, after) => {
    put(before)
    await read()
    expect(await edit('b', 'X\nY')).toMatchObject({ isError: false })
    expect(readFileSync(file)).toEqual(Buffer.from(after))
  })

  test('what the encoding cannot hold is refused', async () => {
    const before = Buffer.from('gr\xfcn', 'latin1')
    put(before)
    await read()
    expect((await edit('gr', '€')).text).toMatch(/cannot hold: it is latin1/)
    expect(readFileSync(file)).toEqual(before)
  })

  test('a binary file is refused', async () => {
    put('a\0b')
    context.readFileState.set(file, { mtimeMs: 0, size: 3, sha256: '', isWhole: true })
    expect((await edit('a', 'x')).text).toMatch(/binary/)
  })
})
