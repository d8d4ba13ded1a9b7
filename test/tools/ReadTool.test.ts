import { execFileSync } from 'node:child_process'
import { mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { beforeEach, describe, expect, test } from 'vitest'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { GIF, JPEG, PNG, pngOf } from '../helpers/images.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
const put = (name: string, content: string | Buffer) => writeFileSync(join(context.cwd, name), content)
const read = (file_path: string, more: Record<string, unknown> = {}) =>
  runTool(ReadTool, { file_path, ...more }, context)

beforeEach(() => {
  context = createToolContext()
})

describe('text', () => {
  test('numbers lines and tracks what was read', async () => {
    put('a.txt', 'one\ntwo\r\nthree')
    const { text, isError } = await read('a.txt')
    expect(isError).toBe(false)
    expect(text).toBe('1\tone\n2\ttwo\n3\tthree')
    expect(context.readFileState.get(join(context.cwd, 'a.txt'))).toMatchObject({ size: 14, isWhole: true })
  })

  test.each([
    [{ offset: 2, limit: 1 }, '2\ttwo\n(line 2 of 4; continue with offset=3)'],
    [{ offset: '3', limit: '9' }, '3\tthree\n4\tfour\n(lines 3-4 of 4)'],
    [{ offset: 0, limit: 1 }, '1\tone\n(line 1 of 4; continue with offset=2)'],
    [{ offset: 9 }, '(line 9 is beyond the end: the file has 4 lines)'],
  ])('shows a part: %j', async (range, expected) => {
    put('a.txt', 'one\ntwo\nthree\nfour\n')
    expect((await read('a.txt', range)).text).toBe(expected)
    expect(context.readFileState.get(join(context.cwd, 'a.txt'))?.isWhole).toBe(false)
  })

  test.each([{ offset: -1 }, { limit: 0 }, { limit: 'many' }, { file_path: 7 }])('refuses %j', async (range) => {
    expect(await read('a.txt', range)).toMatchObject({ isError: true, step: 'schema' })
  })

  test('limits lines, characters per line, and the total', async () => {
    put('long', 'x\n'.repeat(5000))
    expect((await read('long')).text).toMatch(/\n2000\tx\n\(lines 1-2000 of 5000; continue with offset=2001\)$/)
    put('wide', `${'x'.repeat(1_000_000)}\nend`)
    expect((await read('wide', { offset: 1 })).text).toBe(`1\t${'x'.repeat(2000)} [… 998000 more characters]\n2\tend`)
    put('both', `${'x'.repeat(1990)}\n`.repeat(2000))
    const { text } = await read('both', { offset: 1 })
    expect(text.length).toBeLessThan(101_000)
    expect(text).toMatch(/continue with offset=51\)$/)
  })

  test.each([
    ['empty', Buffer.from(''), '(the file is empty)'],
    ['bom', Buffer.from('\ufeffa'), '1\ta'],
    ['utf16', Buffer.from('\ufeffgrün\n', 'utf-16le'), '1\tgrün'],
    ['latin1', Buffer.from('grün', 'latin1'), '1\tgrün'],
  ])('decodes %s', async (name, bytes, expected) => {
    put(name, bytes)
    expect((await read(name)).text).toBe(expected)
  })

  test('reads lines from a file of gigabytes', { tags: 'night' }, async () => {
    const file = join(context.cwd, 'huge.log')
    writeFileSync(file, Array.from({ length: 4_000_000 }, (_, index) => `line ${index + 1}`).join('\n'))
    truncateSync(file, 5_000_000_000)
    expect((await read('huge.log', { offset: 1_500_000, limit: 1 })).text).toBe(
      '1500000\tline 1500000\n(line 1500000; continue with offset=1500001)',
    )
    expect((await read('huge.log', { offset: 4_000_001, limit: 1 })).text).toMatch(/beyond 268435456 bytes/)
  })

  test('refuses a huge file without offset or limit, in one line', async () => {
    put('log', 'line\n'.repeat(60_000))
    expect(await read('log')).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^\S+log has 300000 bytes, too many to read at once: give offset and limit, or find the place with Grep$/,
      ),
    })
    expect((await read('log', { limit: 1 })).text).toBe('1\tline\n(line 1 of 60000; continue with offset=2)')
    put('blob', Buffer.alloc(300_000))
    expect((await read('blob')).text).toMatch(/is a binary file/)
  })

  test('cuts a line of hundreds of megabytes without loading it', async () => {
    const file = openSync(join(context.cwd, 'one-line'), 'w')
    writeSync(file, Buffer.alloc(17_000_000, 'x'))
    const { text } = await read('one-line', { offset: 1 })
    expect(text).toMatch(/^1\tx{2000} \[… \d+ more characters]$/)
  })
})

describe('what is not read', () => {
  test.each([
    ['missing', 'missing', /does not exist/],
    ['folder', 'folder', /is a folder/],
    ['pipe', 'pipe', /named pipe/],
    ['binary', 'binary', /binary file of 3 bytes/],
    ['outside', '../secret', /outside the working directories/],
    ['a link to outside', 'link', /outside the working directories/],
    ['kernel files', '/proc/self/environ', /never opened/],
    ['a link to kernel files', 'environ', /never opened/],
    ['a NUL', 'a\0b', /not a resolved absolute path/],
  ])('%s', async (_name, path, message) => {
    mkdirSync(join(context.cwd, 'folder'))
    execFileSync('mkfifo', [join(context.cwd, 'pipe')])
    put('binary', 'a\0b')
    writeFileSync(join(context.base, 'secret'), 'SECRET')
    symlinkSync('../secret', join(context.cwd, 'link'))
    symlinkSync('/proc/self/environ', join(context.cwd, 'environ'))
    const { isError, text } = await read(path)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
    expect(context.readFileState.size).toBe(0)
  })

  test('comes with advice', async () => {
    mkdirSync(join(context.cwd, 'src'))
    for (const name of ['src/price.ts', 'src/secret.ts', 'nb.ipynb']) put(name, '{')
    const hidden = join(context.cwd, 'src/secret.ts')
    context = { ...context, mayRead: (path) => path !== hidden }
    expect((await read('src/prise.ts')).text).toMatch(/does not exist\. Did you mean \/.*\/src\/price\.ts\?$/)
    expect((await read('src/secrt.ts')).text).toMatch(
      /does not exist\. Glob secrt\.ts finds files of that name at every depth\.$/,
    )
    expect((await read('lib/price.ts')).text).toMatch(
      /Its folder does not exist either\. Glob price\.ts finds files of that name at every depth\.$/,
    )
    expect((await read('src')).text).toMatch(/is a folder, not a regular file\. LS lists it\.$/)
    expect((await read('nb.ipynb')).text).toMatch(/JSON is broken\. Read with an offset shows it as text\.$/)
    expect((await read('nb.ipynb', { offset: 1, pages: '' })).text).toMatch(/^1\t\{$/)
  })

  test('names the path as its only subject', () => {
    symlinkSync('../secret', join(context.cwd, 'link'))
    expect(ReadTool.subjects({ file_path: 'link' }, context)).toEqual([
      { kind: 'path', access: 'read', source: 'tool', path: context.resolvePath('link') },
    ])
  })
})

describe('blobs', () => {
  test("the run's own are readable", async () => {
    expect((await read(context.blobs.put('whole output'))).text).toBe('1\twhole output')
  })
})

describe('images', () => {
  test.each([
    ['a.png', PNG, 'image/png'],
    ['wrong-name.png', JPEG, 'image/jpeg'],
    ['no-name', GIF, 'image/gif'],
  ])('%s is an image block', async (name, bytes, media_type) => {
    put(name, bytes)
    expect((await read(name)).content).toEqual([
      { type: 'image', source: { type: 'base64', media_type, data: bytes.toString('base64') } },
    ])
  })

  test.each([
    ['empty.png', Buffer.alloc(0), /0 bytes are not a whole image/],
    ['text.png', Buffer.from('no image'), /not a whole image/],
    ['cut.png', PNG.subarray(0, 60), /cut off/],
    ['wide.png', pngOf(20_000, 10), /20000 × 10 pixels/],
    ['large.png', Buffer.concat([PNG, Buffer.alloc(30_000_000)]), /\d{8} bytes, at most/],
  ])('%s is refused with a message', async (name, bytes, message) => {
    put(name, bytes)
    const { isError, text } = await read(name)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
  })
})

describe('PDF', () => {
  const pdf = (pages: number, trailer = '') =>
    Buffer.from(`%PDF-1.4\n${'1 0 obj <</Type /Page>> endobj\n'.repeat(pages)}trailer <<${trailer}>>\n%%EOF\n`)

  test('is a document block', async () => {
    put('a.pdf', pdf(3))
    const { content, text } = await read('a.pdf', { pages: '2' })
    expect(text).toMatch(/^PDF, 3 pages, whole document; you asked for page 2\./)
    expect(content).toContainEqual({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: pdf(3).toString('base64') },
    })
  })

  test('with pages is a document of only these pages, whatever the total', async () => {
    const whole = await PDFDocument.create()
    for (let page = 1; page <= 150; page++) whole.addPage([100 + page, 100])
    put('a.pdf', Buffer.from(await whole.save({ useObjectStreams: false })))
    const { content, text } = await read('a.pdf', { pages: '2-3' })
    expect(text).toMatch(/^PDF, 150 pages, only pages 2-3\./)
    const [, block] = content as readonly { source: { data: string } }[]
    const sent = await PDFDocument.load(Buffer.from(block?.source.data ?? '', 'base64'))
    expect(sent.getPages().map((page) => page.getWidth())).toEqual([102, 103])
    const wrong = async (pages: string) => (await read('a.pdf', { pages })).text
    expect(await wrong('151')).toMatch(/it has 150 pages, and you asked for page 151$/)
    expect(await wrong('1-120')).toMatch(/at most 100 pages at once$/)
    expect(await wrong('3-2')).toMatch(/^pages must be/)
    expect((await read('a.pdf')).text).toMatch(/150 pages, at most 100 at once: give pages/)
  })

  test.each([
    ['many pages', pdf(1000), /1000 pages, at most 100/],
    ['encryption', pdf(1, '/Encrypt 5 0 R'), /encrypted/],
    ['a missing end', pdf(1).subarray(0, 40), /cut off/],
    ['too many bytes', Buffer.concat([pdf(1), Buffer.alloc(20_000_000)]), /at most/],
  ])('is refused for %s', async (_name, bytes, message) => {
    put('a.pdf', bytes)
    const { isError, text } = await read('a.pdf')
    expect(isError).toBe(true)
    expect(text).toMatch(message)
  })

  test('a text that mentions the mark of a PDF is text', async () => {
    put('a.ts', "startsWith('%PDF-')")
    expect((await read('a.ts')).text).toBe("1\tstartsWith('%PDF-')")
    expect(await read('a.ts', { pages: 'all' })).toMatchObject({ isError: true, step: 'validate' })
  })
})

test('a notebook is shown by cells, or by lines with an offset', async () => {
  put(
    'a.ipynb',
    JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'code', id: 'x1', source: ['1+1'], outputs: [] }] }),
  )
  expect((await read('a.ipynb')).text).toBe('<cell id="x1" type="code">\n1+1\n</cell>')
  expect((await read('a.ipynb', { offset: 1 })).text).toMatch(/^1\t\{"nbformat"/)
  put('b.ipynb', '{}')
  expect(await read('b.ipynb')).toMatchObject({ isError: true, text: expect.stringMatching(/not a notebook/) })
})
