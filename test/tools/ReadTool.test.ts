import { openSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { beforeEach, describe, expect, test } from 'vitest'
import { ReadTool } from '../../src/tools/ReadTool/ReadTool.ts'
import { GIF, JPEG, PNG, pngOf } from '../helpers/images.ts'
import { createToolContext, runTool, type TestContext } from '../helpers/tools/toolContext.ts'

let context: TestContext
const put = (name: string, content: string | Buffer) => context.put({ [name]: content })
const read = (file_path: string, more: Record<string, unknown> = {}) =>
  runTool(ReadTool, { file_path, ...more }, context)

beforeEach(() => {
  context = createToolContext()
})

describe('text', () => {
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

  test('reads lines from a file of gigabytes', { tags: 'night' }, async () => {
    const file = context.at('huge.log')
    writeFileSync(file, Array.from({ length: 4_000_000 }, (_, index) => `line ${index + 1}`).join('\n'))
    truncateSync(file, 5_000_000_000)
    expect((await read('huge.log', { offset: 1_500_000, limit: 1 })).text).toBe(
      '1500000\tline 1500000\n(line 1500000; continue with offset=1500001)',
    )
    expect((await read('huge.log', { offset: 4_000_001, limit: 1 })).text).toMatch(/beyond 268435456 bytes/)
  })

  test('cuts a line of hundreds of megabytes without loading it', async () => {
    const file = openSync(context.at('one-line'), 'w')
    writeSync(file, Buffer.alloc(17_000_000, 'x'))
    const { text } = await read('one-line', { offset: 1 })
    expect(text).toMatch(/^1\tx{2000} \[… \d+ more characters]$/)
  })
})

// What the model is told of each is in the scenes.
test.each(['missing', 'folder', 'binary', 'link'])('what is not read is not known: %s', async (path) => {
  context.put({ 'folder/': '', binary: 'a\0b', '../secret': 'SECRET', link: '-> ../secret' })
  expect((await read(path)).isError).toBe(true)
  expect(context.readFileState.size).toBe(0)
})

test("the run's own blobs are readable", async () => {
  expect((await read(context.blobs.put('whole output'))).text).toBe('1\twhole output')
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

  test('is refused for too many bytes', async () => {
    put('a.pdf', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(20_000_000), Buffer.from('\n%%EOF\n')]))
    expect(await read('a.pdf')).toMatchObject({ isError: true, text: expect.stringMatching(/at most/) })
  })
})
